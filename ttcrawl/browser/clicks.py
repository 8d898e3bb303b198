"""Clicks on what looks like a button or a menu, for the content that a page shows only then.

Elements whose words say that a click may not be harmless are not clicked.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from playwright.sync_api import Page

from ttcrawl.browser.click_scripts import AIM, BACK, BEGIN, FIRST, FOCUSED, MEETS, OFFERED, TELL
from ttcrawl.browser.handlers import Handlers
from ttcrawl.browser.world import World

#: Elements that are tried for each state of the page that they may bring.
TRIES = 10

#: Words of what an element shows. English, German, French, Spanish, Italian, Portuguese, Dutch.
SHOWN = """
    buy purchase order checkout pay donate cart basket book reserve bid subscribe unsubscribe
    kaufen bestellen zahlen bezahlen kasse spenden warenkorb buchen reservieren abonnieren abbestellen
    acheter commander payer panier réserver abonner désabonner comprar pagar pedido carrito reservar suscribirse
    acquista ordina paga carrello prenota assinar carrinho kopen bestellen betalen winkelwagen winkelmand
    login logout signin signout signup register registrieren anmelden abmelden ausloggen einloggen connexion
    déconnexion déconnecter connecter inscrire salir accedi esci registrati sair entrar inloggen uitloggen
    log\\s*(?:in|out|off|on) sign\\s*(?:in|out|up|off|on) cerrar\\s+sesión iniciar\\s+sesión
    delete remove erase reset clear cancel revoke block report flag ban discard undo
    löschen entfernen zurücksetzen abbrechen stornieren melden sperren supprimer effacer retirer annuler signaler
    eliminar borrar cancelar elimina cancella annulla excluir remover apagar verwijderen wissen annuleren
    submit send save post publish upload apply confirm accept agree reject decline allow deny
    absenden senden speichern veröffentlichen hochladen bestätigen akzeptieren zustimmen ablehnen
    envoyer enregistrer publier confirmer accepter refuser enviar guardar publicar confirmar aceptar rechazar
    invia salva pubblica conferma accetta rifiuta salvar aceitar rejeitar verzenden opslaan bevestigen accepteren
    like vote upvote downvote follow unfollow share comment reply rate download print install call
    gefällt folgen teilen kommentieren antworten bewerten herunterladen drucken anrufen
    cookies? consent gdpr privacy language sprache langue idioma lingua taal currency
    deutsch english français español italiano português nederlands
"""

#: Words of identifiers and classes, where many others mean nothing.
NAMES = """
    log(?:in|out|off) sign(?:in|out|up|off) delete remove submit checkout cart buy purchase pay donate subscribe
    unsubscribe cookies? consent gdpr cmp onetrust languages? lang locale currency download print share upload captcha
"""


def _any_of(words: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(words.split())})\b", re.IGNORECASE)


_SHOWN, _NAMES = _any_of(SHOWN), _any_of(NAMES)


@dataclass(slots=True, kw_only=True)
class Clicks:
    """What is done with a page to see what it shows only then, one element after the other.

    `left`: the seconds that are left for the page, whose document is watched; `settle`: waits until it makes no
    request; `stirs`: whether it makes one, or has a timer, a moment after something was done.
    """

    page: Page
    world: World
    left: Callable[[], float]
    settle: Callable[[], object]
    stirs: Callable[[], bool]
    _addresses: list[str] = field(default_factory=list)

    def click(self, most: int) -> tuple[str, ...]:
        """Return the addresses that clicks made, when the page has been in `most` states, or has no other.

        An element is met as by a person: the pointer is put over it, presses, releases, and leaves it for the next one.
        Raises playwright's Error if a click ends the document.
        """
        self.world.call(BEGIN)
        windows, handlers = self.world.windows(), Handlers(self.world)
        first, states, changed, pressed = "", 0, True, False
        offers = list[tuple[int, bool]]()
        for _ in range(TRIES * most):
            if changed or pressed or not offers:
                offers = self._offers(handlers if changed or not offers else None)
            if not offers or states == most or self.left() <= 0:
                break
            position, pressed = offers.pop(0)
            before, changed = self._act(position, pressed)
            first, states = first or before, states + changed
        if first and self.world.call(FIRST, first):
            self.settle()
        self.page.mouse.move(0, 0)  # it leaves the last one, too
        return tuple(dict.fromkeys(each.split("#")[0] for each in (*self._addresses, *windows)))

    def _offers(self, handlers: Handlers | None) -> list[tuple[int, bool]]:
        """Return what comes next: (position among the offers, whether it is clicked)."""
        if handlers is None:
            offered = self.world.call(OFFERED)
        else:
            delegated, kinds, elements = handlers.find()
            offered = self.world.call_with_nodes(OFFERED, elements, delegated, kinds)
        clicked = [press and harmless(shown, names) for shown, names, press, _ in offered]
        return [(n, clicked[n]) for n, (_, _, _, hover) in enumerate(offered) if hover or clicked[n]]

    def _act(self, position: int, press: bool) -> tuple[str, bool]:
        """Return the address before, and whether the page is another one now."""
        aim = self.world.call(AIM, position, press)
        if isinstance(aim["point"], list):
            self._point(*aim["point"], press=press, twice=aim["twice"])
        elif aim["point"] is None:
            self.world.call(TELL, press)
        if press and aim["key"] and self.world.call(FOCUSED):
            self.page.keyboard.press(aim["key"])
        if self.stirs():
            self.settle()
        after, back, changed = self.world.call(BACK, *aim["before"])
        self._addresses.append(after)
        if back:
            self.settle()
        return aim["before"][0], changed

    def _point(self, x: float, y: float, *, press: bool, twice: bool) -> None:
        mouse = self.page.mouse
        mouse.move(x, y)
        if not press or not self.world.call(MEETS, x, y):
            return
        for count in (1, 2) if twice else (1,):
            mouse.down(click_count=count)
            mouse.up(click_count=count)


def harmless(shown: str, names: str) -> bool:
    """Whether an element may be clicked. `shown`: its text and its label; `names`: its identifiers and classes.

    >>> [harmless(*each) for each in (("Show more", "btn order-1"), ("Log out", ""), ("X", "addToCart"))]
    [True, False, False]
    """
    return not (_SHOWN.search(shown) or _NAMES.search(_words(names)))


def _words(names: str) -> str:
    """btn-addToCart -> btn add To Cart."""
    return re.sub(r"[^A-Za-z]+|(?<=[a-z])(?=[A-Z])", " ", names)

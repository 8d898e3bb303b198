"""Clicks on what looks like a button or a menu, for the content that a page shows only then.

Elements whose words say that a click may not be harmless are not clicked.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from ttcrawl import config
from ttcrawl.browser.click_scripts import BACK, BEGIN, CLICK, FIRST, HOVER, OFFERED
from ttcrawl.browser.document_scripts import NEXT
from ttcrawl.browser.world import World

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


def click(
    world: World, settings: config.Browser, left: Callable[[], float], settle: Callable[[], object]
) -> tuple[str, ...]:
    """Click one element after the other, in the order of the document, and return the addresses that clicks made.

    `left`: the seconds that are left for the page, whose document is watched; `settle`: waits until it makes no
    request. Raises playwright's Error if a click ends the document.
    """
    world.call(BEGIN)
    windows, addresses = world.windows(), list[str]()
    world.call(HOVER)
    settle()
    first = ""
    for _ in range(settings.clicks):
        world.call(NEXT)
        offered = world.call(OFFERED)
        position = next((n for n, (shown, names) in enumerate(offered) if harmless(shown, names)), None)
        if position is None or left() <= 0:
            break
        before, length = world.call(CLICK, position)
        first = first or before
        settle()
        after, back = world.call(BACK, before, length)
        addresses.append(after)
        if back:
            settle()
    if first and world.call(FIRST, first):
        settle()
    return tuple(dict.fromkeys(each.split("#")[0] for each in (*addresses, *windows)))


def harmless(shown: str, names: str) -> bool:
    """Whether an element may be clicked. `shown`: its text and its label; `names`: its identifiers and classes.

    >>> [harmless(*each) for each in (("Show more", "btn order-1"), ("Log out", ""), ("X", "addToCart"))]
    [True, False, False]
    """
    return not (_SHOWN.search(shown) or _NAMES.search(_words(names)))


def _words(names: str) -> str:
    """btn-addToCart -> btn add To Cart."""
    return re.sub(r"[^A-Za-z]+|(?<=[a-z])(?=[A-Z])", " ", names)

"""A step of [browser] steps is done on a page."""

from __future__ import annotations

import os

from playwright.sync_api import Error, Page, TimeoutError

from ttcrawl.browser.steps import ACCEPT, CLICK, FILL, HOVER, PAUSE, PRESS, SUBMIT, WAIT, Step

#: Buttons of consent banners that accept everything, by the programs that make them: CSS selectors, which also find
#: elements in open shadow roots.
_ACCEPT_BUTTONS = (
    "#onetrust-accept-btn-handler",  # OneTrust
    "#CybotCookiebotDialogBodyLevelButtonLevelOptinAllowAll",  # Cookiebot
    "#CybotCookiebotDialogBodyButtonAccept",
    "#didomi-notice-agree-button",  # Didomi
    "[data-testid=uc-accept-all-button]",  # Usercentrics
    "#uc-btn-accept-banner",
    "#truste-consent-button",  # TrustArc
    ".qc-cmp2-summary-buttons button[mode=primary]",  # Quantcast
    ".fc-cta-consent",  # Google Funding Choices
    ".cc-allow",  # Cookie Consent (Osano)
    ".osano-cm-accept-all",
    ".cmplz-accept",  # Complianz
    "#cookie_action_close_header",  # CookieYes, GDPR Cookie Consent
    ".cky-btn-accept",
    "#cookiescript_accept",  # CookieScript
    "#tarteaucitronPersonalize2",  # tarteaucitron
    ".klaro .cm-btn-success",  # Klaro
    "#axeptio_btn_acceptAll",  # Axeptio
    ".iubenda-cs-accept-btn",  # iubenda
    "#sp-cc-accept",  # Amazon
    "button[aria-label='Accept all' i]",
)

#: Sends the form that an element is, or whose field it is; False: it is pressed, for that may send one.
_SUBMIT = """element => {
  if (!element.matches("form, input, select, textarea") || /^(submit|image|button)$/.test(element.type)) return false;
  (element.form && !element.matches("form") ? element.form : element).requestSubmit();
  return true;
}"""

_SCROLL = "element => { element.scrollIntoView(); element.scrollTo(0, element.scrollHeight) }"


def perform(page: Page, step: Step, seconds: float) -> str:
    """Do a step within some seconds. Return why it failed, "" if it did not."""
    within = 1000 * max(0.001, seconds)
    try:
        if step.verb == PAUSE:
            page.wait_for_timeout(min(1000 * float(step.argument), within))
        elif step.verb == ACCEPT:
            _accept(page, within)
        elif step.verb == PRESS:
            page.keyboard.press(step.argument)
        else:
            _on_element(page, step, within)
    except TimeoutError:
        return f"{step}: not possible within {seconds:.3g} s"
    except Error as error:  # also if the browser has died: the next call raises it again
        return f"{step}: {str(error).partition(chr(10))[0][:200]}"
    return ""


def _on_element(page: Page, step: Step, within: float) -> None:
    element = page.locator(f"css={step.argument}").first
    if step.verb == WAIT:
        element.wait_for(state="visible", timeout=within)
    elif step.verb == CLICK:
        element.click(timeout=within)
    elif step.verb == HOVER:
        element.hover(timeout=within)
    elif step.verb == FILL:
        element.fill(step.text(os.environ), timeout=within)
    elif step.verb == SUBMIT:
        if not element.evaluate(_SUBMIT, timeout=within):
            element.click(timeout=within)
    else:
        element.evaluate(_SCROLL, timeout=within)


def _accept(page: Page, within: float) -> None:
    """Accept a consent banner, if there is one that is known and visible."""
    button = page.locator(", ".join(_ACCEPT_BUTTONS)).locator("visible=true").first
    if button.count():
        button.click(timeout=within)

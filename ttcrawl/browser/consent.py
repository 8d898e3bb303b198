"""Buttons of consent banners that accept everything, by the programs that make them."""

#: CSS selectors, which also find elements in open shadow roots.
BUTTONS = (
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

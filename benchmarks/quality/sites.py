"""Documentation by generators that no other benchmark and no test reads."""

from __future__ import annotations

from dataclasses import replace

from benchmarks.generators import Generator
from benchmarks.quality.packages import Packages

#: `directory` is under usr/share of the package. The text inside the selected elements is the main text; a table of
#: contents under the heading of a page belongs to it, and navigation does not.
SITES = (
    Generator("rustdoc", "rust-doc", "doc/rust-doc/html/std", "#main-content"),
    Generator("mdBook", "rust-doc", "doc/rust-doc/html/book", "#content main"),
    Generator("gi-docgen", "libgtk-4-doc", "doc/libgtk-4-doc/gtk4", "section#main"),
    Generator("AsciiDoc", "git-doc", "doc/git-doc", "#header, #content", "#toc"),
    Generator("RDoc", "asciidoctor-doc", "doc/asciidoctor-doc/html", "main"),
    Generator("YARD", "yard-doc", "doc/yard/doc", "#content"),
    Generator("Haddock", "libghc-lens-doc", "doc/libghc-lens-doc/html", "#content"),
    Generator("LDoc", "awesome-doc", "doc/awesome/doc", "#content"),
    Generator("Sphinx, OpenStack", "nova-doc", "doc/nova-doc/html", ".docs-body"),
    Generator("Sphinx, furo", "python-structlog-doc", "doc/python-structlog-doc/html", "article[role=main]"),
    Generator("nim doc", "nim-doc", "doc/nim/html", "h1.title, #content", "#toc-list"),
    Generator("fpdoc", "fp-docs-3.2.2", "doc/fp-docs/3.2.2/rtl", "body", "table.bar"),
    Generator(
        name="MediaWiki",
        package="cppreference-doc-en-html",
        directory="cppreference/doc/html/en",
        inside="#firstHeading, #mw-content-text",
        without=".t-navbar",
    ),
    Generator("Node.js", "nodejs-doc", "doc/nodejs/api", "#apicontent"),
    Generator("Doxygen, wxWidgets", "wx3.2-doc", "doc/wx3.2-doc/html", "div.title, div.contents", ".ingroups"),
    Generator("Apache", "apache2-doc", "doc/apache2-doc/manual/en", "#page-content", ".toplang, .lang-toggle"),
    Generator("Scaladoc", "scala-doc", "doc/scala-2.11/api/library", "#definition, #signature, #comment, #template"),
    Generator("LaTeX2HTML, PlDoc", "swi-prolog-doc", "swi-prolog/doc/Manual", "body", ".navigate"),
    Generator("XSLT, Tomcat", "tomcat10-docs", "tomcat10-docs/docs", "#content"),
    Generator("xfpt, Exim", "exim4-doc-html", "doc/exim4-doc-html/spec_html", "#content", ".previous_page, .next_page"),
    Generator("LibreOffice help", "libreoffice-help-en-us", "libreoffice/help/en-US/text", "#DisplayArea"),
    Generator("QDoc", "qtbase5-doc-html", "qt5/doc", ".mainContent", ".sidebar"),
    Generator("erl_docgen", "erlang-doc", "doc/erlang-doc", "#content", ".footer"),
    Generator("odoc", "libcalendar-ocaml-doc", "doc/libcalendar-ocaml", ".odoc-preamble, .odoc-content"),
    Generator("Crystal", "crystal-doc", "doc/crystal/api-docs", ".main-content"),
    Generator("DocBook XSL", "aptitude-doc-en", "doc/aptitude/html/en", "body", ".navheader, .navfooter"),
    Generator("pod2html", "rt5-doc-html", "doc/rt5-doc-html", "body"),
    Generator("autogsdoc", "gnustep-base-doc", "GNUstep/Documentation/Developer/Base/Reference", "body", "font > a"),
    Generator("Groovydoc", "groovy-doc", "doc/groovy/gapi", "body > .header, .contentContainer", ".bottomNav, .subNav"),
    Generator("Docutils", "docutils-doc", "doc/docutils-doc", ".document", ".header, .footer"),
    Generator(
        name="GAPDoc",
        package="gap-doc",
        directory="gap/doc/ref",
        inside="body",
        without=".chlinktop, .chlinkbot, .chlinkprevnexttop, .chlinkprevnextbot, p.foot",
    ),
    Generator("Yodl", "c++-annotations-html", "doc/c++-annotations/html", "body", "body > ul:first-of-type"),
)


def unpacked(site: Generator, packages: Packages) -> Generator:
    """The same with its directory as an absolute path."""
    return replace(site, directory=str(packages.debian(site.package) / "usr" / "share" / site.directory))

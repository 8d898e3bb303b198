"""The documents of tests/read/documents/files, made once with LibreOffice, groff and poppler; kept with the tests.

    apt-get install libreoffice-writer-nogui libreoffice-calc-nogui libreoffice-impress-nogui groff poppler-utils \
        qpdf fonts-dejavu-core
    python -m tests.read.documents.make
"""

import gzip
import subprocess
import tempfile
from pathlib import Path

FILES = Path(__file__).parent / "files"

NAMESPACES = " ".join(
    f'xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for prefix, name in {
        "office": "office",
        "text": "text",
        "table": "table",
        "draw": "drawing",
        "presentation": "presentation",
        "meta": "meta",
        "style": "style",
        "fo": "xsl-fo-compatible",
        "svg": "svg-compatible",
    }.items()
)
FLAT = """<?xml version="1.0" encoding="UTF-8"?>
<office:document {namespaces} xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:dc="http://purl.org/dc/elements/1.1/"
 office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.{kind}">
<office:meta><dc:title>On lime trees</dc:title><meta:initial-creator>Jörg Größe</meta:initial-creator>
<dc:creator>Jörg Größe</dc:creator><meta:creation-date>2020-02-03T04:05:06</meta:creation-date></office:meta>
{styles}<office:body><office:{kind}>{body}</office:{kind}></office:body></office:document>"""

LINK = '<text:a xlink:type="simple" xlink:href="http://trees.example/lime?a=1&amp;b=2">the lime page</text:a>'
CELLS = [["Tree", "Größe"], ["Oak", "4711"], ["Дуб", "1234"]]


def table(paragraphs: str = "text:p") -> str:
    rows = "".join(
        "<table:table-row>"
        + "".join(
            f'<table:table-cell office:value-type="string"><{paragraphs}>{cell}</{paragraphs}></table:table-cell>'
            for cell in row
        )
        + "</table:table-row>"
        for row in CELLS
    )
    columns = '<table:table-column table:number-columns-repeated="2"/>'
    return f'<table:table table:name="Sheet">{columns}{rows}{{more}}</table:table>'


PARAGRAPHS = ["Grüße über Äpfel und Öl", "Липа растёт медленно", "A plain sentence of Latin letters"]

WRITER = (
    '<text:h text:outline-level="1">Heading of lime</text:h>'
    + "".join(f"<text:p>{each}</text:p>" for each in PARAGRAPHS)
    + f"<text:p>See {LINK} now.</text:p>"
    + table().format(more="")
)
CALC = table().format(
    more="".join(
        '<table:table-row><table:table-cell office:value-type="string">'
        f"<text:p>{each}</text:p></table:table-cell></table:table-row>"
        for each in ["Heading of lime", *PARAGRAPHS, LINK]
    )
)
FRAME = (
    '<draw:frame svg:x="2cm" svg:y="{y}cm" svg:width="20cm" svg:height="{height}cm">'
    "<draw:text-box>{inner}</draw:text-box></draw:frame>"
)
IMPRESS = (
    '<draw:page draw:name="p1" draw:master-page-name="M">'
    + FRAME.format(y=1, height=3, inner="<text:p>Heading of lime</text:p>")
    + FRAME.format(
        y=5, height=6, inner="".join(f"<text:p>{each}</text:p>" for each in [*PARAGRAPHS, f"See {LINK} now."])
    )
    + '<draw:frame svg:x="2cm" svg:y="12cm" svg:width="20cm" svg:height="5cm">'
    + table().format(more="")
    + "</draw:frame></draw:page>"
)
MASTER = (
    '<office:automatic-styles><style:page-layout style:name="P"><style:page-layout-properties fo:page-width="28cm"'
    ' fo:page-height="21cm"/></style:page-layout></office:automatic-styles><office:master-styles>'
    '<style:master-page style:name="M" style:page-layout-name="P"/></office:master-styles>'
)

TEX = r"""\documentclass{article}
\usepackage[utf8]{inputenc}
\usepackage{hyperref}
\title{On lime trees}
\author{J\"org Gr\"o{\ss}e}
% a comment that no reader sees
\begin{document}
\maketitle
\section{Heading of lime}
Gr\"u{\ss}e \"uber Äpfel und Öl

Липа растёт медленно

A plain sentence of \emph{Latin} letters, $a^2 + b^2 = c^2$.

See \href{http://trees.example/lime?a=1&b=2}{the lime page} now, or \url{http://trees.example/oak}.

\begin{tabular}{ll}
Tree & Gr\"o{\ss}e \\
Oak & 4711 \\
Дуб & 1234 \\
\end{tabular}
\end{document}
"""

#: Letters by the names of their glyphs, and a link as LaTeX writes it (pdfmark).
GLYPHS = """%!PS-Adobe-3.0
/Times-Roman findfont 12 scalefont setfont
72 700 moveto [/uni041B /uni0438 /uni043F /uni0430] {glyphshow} forall
72 680 moveto (A plain sentence of Latin letters) show
[ /Rect [70 670 200 690] /Action << /Subtype /URI /URI (http://trees.example/lime?a=1&b=2) >>
  /Subtype /Link /ANN pdfmark
showpage
"""

ROFF = """.TH LIME 1
.SH HEADING OF LIME
Gr\\[:u]\\[ss]e \\[:u]ber \\[:A]pfel und \\[:O]l
.PP
A plain sentence of Latin letters
.PP
See http://trees.example/lime?a=1&b=2 now.
"""


def office(directory: Path, source: str, target: str) -> None:
    subprocess.run(
        [
            "soffice",
            f"-env:UserInstallation=file://{directory}/profile",
            "--headless",
            "--convert-to",
            target,
            "--outdir",
            str(directory),
            str(directory / source),
        ],
        check=True,
    )
    made = directory / f"{Path(source).stem}.{target.partition(':')[0]}"
    if target == "ppt":  # with a picture of its first page, 440 KB of one colour
        (FILES / f"{made.name}.gz").write_bytes(gzip.compress(made.read_bytes(), mtime=0))
    else:
        (FILES / made.name).write_bytes(made.read_bytes())


def main() -> None:
    FILES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        directory = Path(name)
        for source, kind, styles, body, targets in [
            ("text.fodt", "text", "", WRITER, ["pdf", "doc", "docx", "odt", "rtf"]),
            ("sheet.fods", "spreadsheet", "", CALC, ["xls", "xlsx", "ods"]),
            ("slides.fodp", "presentation", MASTER, IMPRESS, ["ppt", "pptx", "odp"]),
        ]:
            flat = FLAT.format(namespaces=NAMESPACES, kind=kind, styles=styles, body=body)
            (directory / source).write_text(flat, encoding="utf-8")
            for target in targets:
                office(directory, source, target)
    (FILES / "article.tex").write_text(TEX, encoding="utf-8")
    roff = subprocess.run(["groff", "-k", "-man", "-Tps"], input=ROFF.encode(), stdout=subprocess.PIPE, check=True)
    (FILES / "groff.ps").write_bytes(roff.stdout)
    pdf = FILES / "text.pdf"
    (FILES / "glyphs.ps").write_text(GLYPHS)
    for name, options in [("locked.pdf", ["open", "owner"]), ("readable.pdf", ["", "owner"])]:
        forbid = ["256", "--extract=n", "--"]
        subprocess.run(["qpdf", "--encrypt", *options, *forbid, str(pdf), str(FILES / name)], check=True)


if __name__ == "__main__":
    main()

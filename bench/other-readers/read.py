"""Writes the text of each file of a folder, as other readers find it, for `npm run bench -- real-files`.

    python read.py <folder> <texts>

The first reader of a format writes to `<texts>/1`, the second one to `<texts>/2`. poppler's pdftotext, MuPDF's mutool
and pandoc have to be installed, and the packages of requirements.txt. A file that a reader refuses has no text.
"""

import pathlib
import subprocess
import sys
import warnings

import docx
import openpyxl
import pptx
import python_calamine

SECONDS = 60


def read_with_poppler(path):
    return output_of(["pdftotext", "-q", "-enc", "UTF-8", path, "-"])


def read_with_mupdf(path):
    return output_of(["mutool", "draw", "-q", "-F", "txt", path])


def read_with_pandoc(path):
    return output_of(["pandoc", "-t", "plain", "--wrap=none", path])


def output_of(command):
    output = subprocess.run(command, capture_output=True, check=True, timeout=SECONDS).stdout
    return output.decode(errors="replace")


def read_docx(path):
    document = docx.Document(path)
    lines = [paragraph.text for paragraph in document.paragraphs]
    for table in document.tables:
        lines += cells_of(table)
    for section in document.sections:
        for part in (section.header, section.footer):
            lines += [paragraph.text for paragraph in part.paragraphs]
    return "\n".join(lines)


def cells_of(table):
    seen = set()
    for row in table.rows:
        for cell in row.cells:
            if cell._tc in seen:
                continue
            seen.add(cell._tc)
            yield from (paragraph.text for paragraph in cell.paragraphs)
            for inner in cell.tables:
                yield from cells_of(inner)


def read_xlsx(path):
    book = openpyxl.load_workbook(path, read_only=True, data_only=True)
    rows = (row for sheet in book.worksheets for row in sheet.iter_rows(values_only=True))
    return "\n".join(value for row in rows for value in row if isinstance(value, str))


def read_with_calamine(path):
    book = python_calamine.CalamineWorkbook.from_path(path)
    rows = (row for name in book.sheet_names for row in book.get_sheet_by_name(name).to_python())
    return "\n".join(value for row in rows for value in row if isinstance(value, str))


def read_pptx(path):
    lines = []
    for slide in pptx.Presentation(path).slides:
        lines += texts_of(slide.shapes)
        if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
            lines.append(slide.notes_slide.notes_text_frame.text)
    return "\n".join(lines)


def texts_of(shapes):
    for shape in shapes:
        if hasattr(shape, "shapes"):
            yield from texts_of(shape.shapes)
        elif shape.has_text_frame:
            yield shape.text_frame.text
        elif getattr(shape, "has_table", False):
            yield from (cell.text_frame.text for row in shape.table.rows for cell in row.cells)


READERS = {
    ".pdf": [read_with_poppler, read_with_mupdf],
    ".docx": [read_docx, read_with_pandoc],
    ".odt": [read_with_pandoc],
    ".rtf": [read_with_pandoc],
    ".xlsx": [read_xlsx, read_with_calamine],
    ".pptx": [read_pptx],
}


def main():
    warnings.filterwarnings("ignore")
    folder, texts = map(pathlib.Path, sys.argv[1:])
    for path in sorted(folder.rglob("*")):
        for number, read in enumerate(READERS.get(path.suffix.lower(), []), start=1):
            try:
                text = read(str(path))
            except Exception as error:  # Readers fail in many ways on damaged files.
                print(f"{path}: {error!r}"[:200], file=sys.stderr)
                continue
            target = texts / str(number) / f"{path.relative_to(folder)}.txt"
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8", errors="replace")


main()

# SPDX-License-Identifier: MIT
"""tei_peers.py — CPU seconds that another converter takes for TEI files, in one process

usage: tei_peers.py NAME FILE…      NAME: grobid-client-python, grobid_tei_xml or s2orc-doc2json

Prints: CPU seconds of importing, CPU seconds of converting all files to JSON text, files that
failed. Files are read before the clock starts where the converter takes bytes.
"""
import json
import pathlib
import sys
import time

name, files = sys.argv[1], sys.argv[2:]
start = time.process_time()
if name == "grobid-client-python":
    from grobid_client.format.TEI2LossyJSON import TEI2LossyJSONConverter

    converter = TEI2LossyJSONConverter()

    def convert(path, data):
        return json.dumps(converter.convert_tei_file(path, stream=False))

elif name == "grobid_tei_xml":
    import grobid_tei_xml

    def convert(path, data):
        return json.dumps(grobid_tei_xml.parse_document_xml(data).to_dict())

else:  # the code of s2orc-doc2json as the package grobid2json ships it
    from bs4 import BeautifulSoup
    from grobid2json import convert_xml_to_json

    def convert(path, data):
        paper = convert_xml_to_json(BeautifulSoup(data, "xml"), pathlib.Path(path).stem, "")
        return json.dumps(paper.as_json())

imported = time.process_time()
contents = [(f, pathlib.Path(f).read_bytes()) for f in files]
n_failed = 0
begin = time.process_time()
for path, data in contents:
    try:
        if not convert(path, data):
            n_failed += 1
    except Exception:  # what a converter cannot do is counted, whatever it raises
        n_failed += 1
print(f"{imported - start:.3f} {time.process_time() - begin:.3f} {n_failed}")

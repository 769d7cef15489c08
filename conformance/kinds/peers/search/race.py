"""Answers the queries of the search race with Tantivy: `race.py DOCUMENTS QUERIES CALLERS`.

A line of documents is a name and four texts of terms, the weightiest first. A line of queries is a
list of concepts, each a list of terms that mean the same. Prints one JSON object: seconds until the
index is ready, milliseconds of each query of the second half, and the first 20 names of each query
of the first half.
"""

import json
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

import tantivy

FIELDS = {"a": 1.0, "b": 0.7, "c": 0.4, "d": 0.15}
FIRST = 20


def index_of(path):
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("name", stored=True, tokenizer_name="raw")
    for field in FIELDS:
        builder.add_text_field(field, tokenizer_name="whitespace")
    schema = builder.build()
    index = tantivy.Index(schema, path=tempfile.mkdtemp())
    writer = index.writer(heap_size=500_000_000)
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            name, *texts = json.loads(line)
            writer.add_document(tantivy.Document(name=name, **dict(zip(FIELDS, texts))))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    return index, schema


def query_of(schema, concepts, occur):
    def term(field, boost, text):
        return tantivy.Query.boost_query(tantivy.Query.term_query(schema, field, text), boost)

    def concept(terms):
        words = [
            (tantivy.Occur.Should, term(field, boost, text))
            for text in terms
            for field, boost in FIELDS.items()
        ]
        return tantivy.Query.boolean_query(words)

    return tantivy.Query.boolean_query([(occur, concept(terms)) for terms in concepts])


def main():
    documents, queries, callers = sys.argv[1:4]
    began = time.perf_counter()
    index, schema = index_of(documents)
    searcher = index.searcher()
    ready = time.perf_counter() - began
    with open(queries, encoding="utf-8") as lines:
        asked = [json.loads(line) for line in lines]

    def find(concepts):
        started = time.perf_counter()
        hits = searcher.search(query_of(schema, concepts, tantivy.Occur.Must), FIRST).hits
        if len(hits) < FIRST:
            hits = searcher.search(query_of(schema, concepts, tantivy.Occur.Should), FIRST).hits
        names = [searcher.doc(address)["name"][0] for _, address in hits]
        return (time.perf_counter() - started) * 1000, names

    half = len(asked) // 2
    with ThreadPoolExecutor(int(callers)) as pool:
        found = [names for _, names in pool.map(find, asked[:half])]
        times = [took for took, _ in pool.map(find, asked[half:])]
    print(json.dumps({"readySeconds": ready, "times": times, "found": found}))


main()

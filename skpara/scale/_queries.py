"""Queries between the steps, in SQL that DuckDB and Spark both read.

Their arguments are names of tables, or what else may follow FROM.
"""

from __future__ import annotations

from skpara.matching import MOST_TEXTS_OF_A_VECTOR


def different_texts(rows: str) -> str:
    """Return each text of ``rows`` once, with its first row and its number of rows."""
    return f"SELECT min(row) AS id, text, count(*) AS n FROM {rows} GROUP BY text"


def sample(texts: str, n: int) -> str:
    """Return the texts that a plan is made of."""
    return f"SELECT text FROM {texts} ORDER BY md5(text) LIMIT {n}"


def different(texts: str) -> str:
    """Return the texts that are not empty, without spaces around them, and their places."""
    return f"""SELECT text, row_number() OVER (ORDER BY text) - 1 AS place
        FROM (SELECT DISTINCT trim(text) AS text FROM {texts}) AS trimmed WHERE text <> ''"""


def keyed(texts: str) -> str:
    """Return the texts that are compared, each for all with its keys, and how many these are."""
    return (
        f"SELECT text_key, vector_key, min(id) AS owner, count(*) AS n FROM {texts} "
        "WHERE has_words GROUP BY text_key, vector_key"
    )


def crowded(keyed: str) -> str:
    """Return those of the texts of one vector that are compared with its first text only."""
    return f"""SELECT owner, first FROM (
        SELECT owner, min(owner) OVER (PARTITION BY vector_key) AS first,
            row_number() OVER (PARTITION BY vector_key ORDER BY owner) AS place
        FROM {keyed} WHERE vector_key IN (
            SELECT vector_key FROM {keyed} GROUP BY vector_key
            HAVING count(*) > {MOST_TEXTS_OF_A_VECTOR}
        )
    ) AS ordered WHERE place > {MOST_TEXTS_OF_A_VECTOR}"""


def equal_pairs(texts: str, keyed: str, crowded: str, *, is_same: bool) -> str:
    """Return the pairs that need no comparison; ``is_same``: so are all texts of a vector."""
    return f"""SELECT owner AS first, id AS second, true AS repeated, CAST(1 AS DOUBLE) AS cosine
        FROM {texts} AS texts JOIN {keyed} AS keyed
            ON texts.text_key = keyed.text_key AND texts.vector_key = keyed.vector_key
        WHERE has_words AND n > 1 AND id <> owner
        UNION ALL
        SELECT first, owner AS second, {str(is_same).lower()} AS repeated,
            CAST(1 AS DOUBLE) AS cosine
        FROM {crowded} AS crowded"""


def compared(keyed: str, crowded: str) -> str:
    """Return the numbers of the texts that are compared as they are written."""
    return f"""SELECT owner FROM {keyed} AS keyed WHERE NOT EXISTS (
        SELECT 1 FROM {crowded} AS crowded WHERE crowded.owner = keyed.owner
    )"""


def mended(texts: str) -> str:
    """Return the numbers of the texts that are also read with their typos corrected."""
    return f"SELECT min(id) FROM {texts} GROUP BY text_key"


def with_texts(pairs: str, texts: str) -> str:
    """Return pairs with their texts."""
    return f"""SELECT first, second, cosine, first_words, second_words,
            coalesce(repeated, false) AS repeated, a.text AS first_text, b.text AS second_text
        FROM {pairs} AS pairs
        JOIN {texts} AS a ON a.id = first JOIN {texts} AS b ON b.id = second"""


def best(judged: str) -> str:
    """Return each pair once, with its best score."""
    return f"""SELECT first, second, max(score) AS score, max_by(reason, score) AS reason,
            bool_or(repeated) AS repeated
        FROM {judged} GROUP BY first, second"""

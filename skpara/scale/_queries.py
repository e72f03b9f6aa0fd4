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


def equal_pairs(texts: str, items: str, keyed: str, crowded: str, *, is_same: bool) -> str:
    """Return the pairs that need no comparison; ``is_same``: so are all texts of a vector."""
    no_words = f"(SELECT words FROM {items} LIMIT 0)"  # null, of this type
    return f"""SELECT *, CAST(1 AS DOUBLE) AS cosine, {no_words} AS first_words,
            {no_words} AS second_words
        FROM (
            SELECT owner AS first, id AS second, true AS repeated
            FROM {texts} AS texts JOIN {keyed} AS keyed
                ON texts.text_key = keyed.text_key AND texts.vector_key = keyed.vector_key
            WHERE has_words AND n > 1 AND id <> owner
            UNION ALL
            SELECT first, owner AS second, {str(is_same).lower()} AS repeated
            FROM {crowded} AS crowded
        ) AS equal"""


def grouped(items: str, texts: str, keyed: str, crowded: str) -> str:
    """Return what is compared: texts as they are written, and some with typos corrected."""
    return f"""SELECT items.* FROM {items} AS items JOIN {keyed} AS keyed ON id = owner
        WHERE words IS NULL AND NOT EXISTS (
            SELECT 1 FROM {crowded} AS crowded WHERE crowded.owner = id
        )
        UNION ALL
        SELECT * FROM {items} WHERE words IS NOT NULL
            AND id IN (SELECT min(id) FROM {texts} GROUP BY text_key)"""


def with_texts(pairs: str, texts: str) -> str:
    """Return pairs with their texts."""
    return f"""SELECT first, second, cosine, first_words, second_words,
            coalesce(repeated, false) AS repeated, a.text AS first_text, b.text AS second_text
        FROM {pairs} AS pairs
        JOIN {texts} AS a ON a.id = first JOIN {texts} AS b ON b.id = second"""


def best(judged: str) -> str:
    """Return each pair once, with its best score, in order."""
    return f"""SELECT first, second, max(score) AS score, max_by(reason, score) AS reason,
            bool_or(repeated) AS repeated
        FROM {judged} GROUP BY first, second ORDER BY first, second"""


def recall(probed: str) -> str:
    """Return the numbers of pairs of each text that the recall is measured with."""
    return f"""SELECT CAST(sum(n_pairs) AS BIGINT) AS n_pairs,
            CAST(sum(n_found) AS BIGINT) AS n_found
        FROM {probed} GROUP BY id ORDER BY id"""


def ranks(texts: str, pairs: str) -> str:
    """Return the places of the texts of pairs in their order."""
    return f"""SELECT id, row_number() OVER (ORDER BY text, id) AS place FROM {texts}
        WHERE id IN (SELECT first FROM {pairs} UNION SELECT second FROM {pairs})"""


# The order of the rows of a cluster, of which the first one is kept.
_ORDERS = {"first": "row", "last": "row DESC", "longest": "size DESC, row"}


def labels(rows: str, texts: str, read: str, clusters: str, keep: str) -> str:
    """Return the first row of the cluster of each row, and whether it is kept.

    ``clusters`` has the texts that are in the cluster of an earlier text. Rows without words are
    duplicates of nothing.
    """
    return f"""SELECT row, cluster,
            row_number() OVER (PARTITION BY cluster ORDER BY {_ORDERS[keep]}) = 1 AS kept
        FROM (
            SELECT row, length(rows.text) AS size, coalesce(cluster, repeated.id, row) AS cluster
            FROM {rows} AS rows LEFT JOIN (
                SELECT texts.id, texts.text FROM {texts} AS texts JOIN {read} AS known
                    ON texts.id = known.id
                WHERE n > 1 AND has_words
            ) AS repeated ON rows.text = repeated.text
            LEFT JOIN {clusters} AS clusters ON clusters.id = coalesce(repeated.id, row)
        ) AS labelled"""

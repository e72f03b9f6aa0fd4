"""
Pairs in English and Spanish
============================

The packaged vectors are English. Sentences and their translations extend them to other languages,
without a transformer. A good table takes a hundred thousand translated sentences
(:doc:`/guide/languages`). This example makes do with a small dictionary.
"""

import matplotlib.pyplot as plt

from skpara import ParagramEncoder
from skpara.encoders import align_vectors
from skpara.metrics import pearson_score

# %%
# An English word and its translations. Each pair of words is a very short pair of sentences, and
# occurs once, so ``min_count`` is 1.

dictionary = """
a un una; the el la los las; man hombre; woman mujer; dog perro; cat gato; child niño niña;
people gente; is está es; are están son; plays toca; playing tocando jugando; guitar guitarra;
violin violín; music música; eats come; bread pan; apple manzana; runs corre; running corriendo;
in en; on sobre; with con; street calle; park parque; house casa; car coche; red rojo roja;
white blanco blanca; sleeps duerme; sleeping durmiendo; sofa sofá; water agua; drinks bebe;
rides monta; bicycle bicicleta; cooks cocina; soup sopa; beach playa; ball pelota; reads lee;
book libro; train tren; station estación; prices precios; rise suben; fall bajan; oil petróleo;
rains llueve; today hoy; government gobierno; taxes impuestos; raises sube; lowers baja;
sings canta; song canción; and y; of de; no no; storm tormenta; city ciudad; hits golpea;
team equipo; wins gana; loses pierde; match partido; table mesa; under bajo; old viejo vieja;
doctor médico; works trabaja; buys compra; sells vende
"""
entries = [entry.split() for entry in dictionary.split(";")]
bitext = [(english, word) for english, *spanish in entries for word in spanish]
both = ParagramEncoder(vectors=align_vectors(bitext, min_count=1))

# %%
# Pairs with a score from 0 to 5. The second sentence is given in both languages.

table = """
5.0 | A man plays the guitar. | A man is playing a guitar. | Un hombre está tocando la guitarra.
3.5 | A man plays the guitar. | A woman plays the violin. | Una mujer toca el violín.
4.0 | A man plays the guitar. | A man plays music. | Un hombre toca música.
0.0 | A man plays the guitar. | Oil prices fall today. | Los precios de petróleo bajan hoy.
4.5 | A dog runs in the park. | The dog is running in a park. | El perro corre en un parque.
3.0 | A dog runs in the park. | A cat runs in the street. | Un gato corre en la calle.
1.5 | A dog runs in the park. | A dog sleeps on the sofa. | Un perro duerme sobre el sofá.
0.0 | A dog runs in the park. | The government raises taxes. | El gobierno sube los impuestos.
5.0 | The cat is sleeping. | The cat sleeps. | El gato duerme.
2.5 | The cat is sleeping. | A child is sleeping. | Un niño está durmiendo.
1.0 | The cat is sleeping. | A cat drinks water. | Un gato bebe agua.
0.0 | The cat is sleeping. | The team wins the match. | El equipo gana el partido.
4.5 | Oil prices rise. | The prices of oil rise today. | Los precios de petróleo suben hoy.
2.5 | Oil prices rise. | Bread prices rise. | Los precios de pan suben.
0.5 | Oil prices rise. | The government lowers taxes. | El gobierno baja los impuestos.
0.0 | Oil prices rise. | A woman reads a book. | Una mujer lee un libro.
4.0 | A woman eats an apple. | The woman eats a red apple. | La mujer come una manzana roja.
3.0 | A woman eats an apple. | A man eats bread. | Un hombre come pan.
1.5 | A woman eats an apple. | A woman cooks soup. | Una mujer cocina sopa.
0.0 | A woman eats an apple. | A storm hits the city. | Una tormenta golpea la ciudad.
5.0 | A doctor works in a city. | The doctor works in the city. | El médico trabaja en la ciudad.
1.0 | A doctor works in a city. | An old man buys a car. | Un hombre viejo compra un coche.
"""
rows = [[cell.strip() for cell in line.split("|")] for line in table.strip().split("\n")]
scores, first, english, spanish = zip(*rows, strict=True)
scores = [float(score) for score in scores]

# %%
# Without the dictionary, Spanish words have vectors by their spelling only.

panels = {
    "English and English": ParagramEncoder().similarity(first, english),
    "English and Spanish,\npackaged vectors": ParagramEncoder().similarity(first, spanish),
    "English and Spanish,\nwith the dictionary": both.similarity(first, spanish),
}
figure, axes = plt.subplots(1, 3, figsize=(9, 3.4), sharex=True, sharey=True, layout="constrained")
for ax, (title, cosines) in zip(axes, panels.items(), strict=True):
    ax.scatter(scores, cosines)
    ax.set(title=f"{title}\nr = {pearson_score(scores, cosines):.2f}", xlabel="score")
axes[0].set_ylabel("cosine")
plt.show()

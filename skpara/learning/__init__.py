"""Training of word vectors and networks: sessions, the loop, optimisers, objectives, devices."""

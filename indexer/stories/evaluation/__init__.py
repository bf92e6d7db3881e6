"""How good extraction is: the values of pages compared with a ground truth.

truth → labelled pages → extraction → scores of each page → means, of all pages and of each class
"""

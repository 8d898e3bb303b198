"""Jobs: work that goes on beside those who look at a crawl, in threads (`threads`) and processes (`commands`) of their
own, and what stops, continues and changes a crawl for them (`control`).
"""

"""Fine-tuning of small language models: data from gold, dialogues and catalogs, and recipes.

Source: AWARE-US, section 4 (SFT, then DPO); APEC-Travel, 3.4 and 4.3 (three roles, iterative DPO).
"""

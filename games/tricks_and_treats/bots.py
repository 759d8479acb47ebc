"""A player by rule of thumb."""

from games.bots import random_bot

bot = random_bot

"""What tests share: records, homes, games and bots made for them."""

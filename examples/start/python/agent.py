from ask import ask

where = ask('Where to?', ['Staging', 'Production'])
print(f'I deploy to {where}.' if where else 'No answer, so I do not deploy.')

"""Asks the user of this program, and waits. Copy this file next to yours, and start yours: npx sandagent run python3 agent.py

    where = ask('Where to?', ['Staging', 'Production'])    # the label that was picked, or the words that were typed
    parts = ask_many('Which parts?', ['Tests', 'Docs'])    # a list of labels and words
    kind, answers = ask_all({                              # one form; `answers` has your keys
        'db': {'question': 'Which database?', 'options': ['SQLite', 'Postgres']},
        'name': {'question': 'What is it called?', 'placeholder': 'my-app'}})

None means that nobody answered, or that the person declined. Fields of a question, and `id`, `timeoutMs` and `timeoutPolicy` of
the call, are keywords, such as allowFreeText=False: header, placeholder, textFormat, required, typed, defaultOption.
"""
import itertools, json, os, sys, threading

sys.stdout.reconfigure(encoding='utf-8', errors='backslashreplace', line_buffering=True)
_count, _turn = itertools.count(1), threading.Lock()
_ends = '\n'.join(f'{end.st_dev}:{end.st_ino}' for end in map(os.fstat, (0, 1)))
os.environ.setdefault('SANDAGENT_OUTPUT', _ends)  # A program below that has other ones asks in the folder.

def ask(question, options=(), **fields):
    call = {key: fields.pop(key) for key in ('id', 'timeoutMs', 'timeoutPolicy') if key in fields}
    return ask_all({'q1': {'question': question, 'options': options, **fields}}, **call)[1]['q1']

def ask_many(question, options, **fields):
    return ask(question, options, multiSelect=True, **fields)

def ask_all(questions, id=None, timeoutMs=None, timeoutPolicy=None):
    if 'SANDAGENT_PROMPT' not in os.environ or os.environ['SANDAGENT_OUTPUT'] != _ends:
        sys.exit(f'Nobody hears the question. Start this with npx sandagent run python3 {sys.argv[0]}, or pass on input and output')
    def option(given): return {'label': given} if isinstance(given, str) else given
    asked = [{**question, 'id': key, 'options': [option(given) for given in question.get('options', ())]}
             for key, question in questions.items()]
    with _turn:
        id = str(id or next(_count))
        call = {'timeoutMs': timeoutMs, 'timeoutPolicy': timeoutPolicy}
        given = {key: value for key, value in call.items() if value is not None}
        print(json.dumps({'type': 'ask', 'id': id, 'questions': asked, **given}))
        for reply in map(json.loads, iter(sys.stdin.buffer.readline, b'')):
            if reply.get('id') == id and reply['type'] == 'error': raise ValueError(reply['message'])
            if reply.get('id') == id: return reply['kind'], {key: reply['answers'].get(key) for key in questions}
    raise EOFError('The run ended before this question did. Start it again with the same --run-id')

# sandagent run --prompt "Greet me" python3 examples/greet.py
import json, os

def ask(*questions):
    print(json.dumps({"type": "ask", "questions": questions}), flush=True)
    return json.loads(input())

reply = ask({"question": "What shall I call you?", "placeholder": "Your name"})
name = reply.get("answers", {}).get("What shall I call you?", "stranger")
print(f"You said “{os.environ['SANDAGENT_PROMPT']}”, so: hello, {name}!")

const PREFIX = '/guardrails/api';

/** Calls the guardrails API and returns the data of the envelope. Throws its error message. */
async function guardrails(method, path, body) {
  const response = await request(method, PREFIX + path, body);
  const { data } = await response.json();
  if (!response.ok) throw new Error(messageOf(data.error));
  return data;
}

function messageOf({ message, fields = {} }) {
  return [message, ...Object.entries(fields).map(([name, reasons]) => `${name} ${reasons.join(', ')}.`)].join(
    ' ',
  );
}

async function chat(method, path, body) {
  const response = await request(method, `/chat${path}`, body);
  if (response.ok) return response;
  const { message = 'The server did not answer.' } = await response.json();
  throw new Error(message);
}

async function request(method, path, body) {
  const json = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(path, { method, ...(body !== undefined && json) }).catch(() => {
    throw new Error('The demo does not answer. Check that it is running.');
  });
  if (response.status === 401) location.assign('/login');
  return response;
}

/** Sends a message. `show` gets each part of the answer. Returns the whole turn. */
export async function ask(text, show) {
  const { body } = await chat('POST', '', { text });
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let received = '';
  for (;;) {
    const { value, done } = await reader.read().catch(() => ({ done: true }));
    if (done) throw new Error('The answer broke off. Check that the demo is running, and ask again.');
    const events = (received + value).split('\n\n');
    received = events.pop();
    for (const event of events) {
      const data = JSON.parse(event.slice('data: '.length));
      if (data.turn) return data;
      show(data.text);
    }
  }
}

export const followUp = async (approvalId) => (await chat('GET', `/approvals/${approvalId}`)).json();
export const findingsIn = async (text) =>
  (await guardrails('POST', '/try/sanitize', { text, rendering: 'markdown' })).findings;
export const me = () => guardrails('GET', '/me');
export const overview = () => guardrails('GET', '/overview');
export const pendingApprovals = async () => (await guardrails('GET', '/approvals')).pending;
export const decide = (token, verdict, reason) =>
  guardrails('POST', `/approvals/${token}/${verdict}`, reason ? { reason } : {});
export const setMode = (control, mode) =>
  guardrails('PUT', '/settings', { settings: { [`modes.${control}`]: mode } });

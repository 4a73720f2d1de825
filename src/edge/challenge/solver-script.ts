/**
 * Runs in the visitor's browser: solves the puzzle in slices, sends the solution and reloads the page.
 * The script contains SHA-256 because WebCrypto is missing on plain http. The token's full blocks are hashed once; only
 * the last block, which contains the number, is hashed for each try.
 */
export const solverScript = `
'use strict';
(() => {
  const root = document.getElementById('sluice-challenge');
  const status = document.getElementById('sluice-status');
  const button = document.getElementById('sluice-go');
  const token = root.dataset.token;
  const bits = Number(root.dataset.bits);
  const K = new Int32Array(64), START = new Int32Array(8), W = new Int32Array(64);
  for (let n = 2, found = 0; found < 64; n++) {
    let prime = true;
    for (let d = 2; d * d <= n; d++) if (n % d === 0) { prime = false; break; }
    if (!prime) continue;
    const part = x => ((x - Math.floor(x)) * 4294967296) | 0;
    if (found < 8) START[found] = part(Math.sqrt(n));
    K[found++] = part(Math.cbrt(n));
  }
  const turn = (x, n) => (x >>> n) | (x << (32 - n));
  const block = (state, bytes, at) => {
    for (let i = 0; i < 16; i++, at += 4)
      W[i] = (bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3];
    for (let i = 16; i < 64; i++) {
      const x = W[i - 15], y = W[i - 2];
      W[i] = (W[i - 16] + (turn(x, 7) ^ turn(x, 18) ^ (x >>> 3)) + W[i - 7] + (turn(y, 17) ^ turn(y, 19) ^ (y >>> 10))) | 0;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i++) {
      const p = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + K[i] + W[i]) | 0;
      const q = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g; g = f; f = e; e = (d + p) | 0; d = c; c = b; b = a; a = (p + q) | 0;
    }
    state[0] += a; state[1] += b; state[2] += c; state[3] += d;
    state[4] += e; state[5] += f; state[6] += g; state[7] += h;
  };
  const prefix = new TextEncoder().encode(token + '.');
  const whole = prefix.length - (prefix.length % 64);
  const middle = Int32Array.from(START);
  for (let at = 0; at < whole; at += 64) block(middle, prefix, at);
  const zeros = number => {
    const text = String(number), rest = prefix.length - whole, length = rest + text.length;
    const tail = new Uint8Array(length < 56 ? 64 : 128);
    tail.set(prefix.subarray(whole));
    for (let i = 0; i < text.length; i++) tail[rest + i] = text.charCodeAt(i);
    tail[length] = 128;
    new DataView(tail.buffer).setUint32(tail.length - 4, (whole + length) * 8);
    const state = Int32Array.from(middle);
    for (let at = 0; at < tail.length; at += 64) block(state, tail, at);
    return Math.clz32(state[0]);
  };
  const say = text => { status.textContent = text; };
  const fail = text => { say(text); button.hidden = false; button.disabled = false; button.textContent = 'Try again'; button.onclick = () => location.reload(); button.focus(); };
  const tries = () => {
    try {
      const now = Date.now(), past = JSON.parse(sessionStorage.getItem('sluice') || '[]').filter(t => now - t < 60000);
      sessionStorage.setItem('sluice', JSON.stringify([...past, now]));
      return past.length;
    } catch { return 0; }
  };
  const send = async number => {
    say('Almost there…');
    try {
      const answer = await fetch('/.sluice/challenge', {
        method: 'POST', credentials: 'same-origin', cache: 'no-store', body: new URLSearchParams({ token, number }),
      });
      if (answer.ok) location.reload();
      else fail('The check failed: it has expired or was made for another address.');
    } catch { fail('The server is unreachable.'); }
  };
  const solve = () => {
    button.hidden = true;
    say('Checking your browser…');
    let number = 0;
    const slice = () => {
      for (const end = performance.now() + 40; performance.now() < end; )
        for (let i = 0; i < 256; i++, number++) if (zeros(number) >= bits) return void send(number);
      setTimeout(slice);
    };
    setTimeout(slice);
  };
  if (!navigator.cookieEnabled) fail('Cookies are disabled. This check needs one to remember your browser.');
  else if (tries() >= 5) fail('The check repeats. Your browser may reject its cookie.');
  else if (root.dataset.press === 'yes') { say('Select the button to continue.'); button.hidden = false; button.onclick = solve; button.focus(); }
  else solve();
})();
`

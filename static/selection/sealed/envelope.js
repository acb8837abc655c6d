// Open envelopes with XChaCha20-Poly1305, a few milliseconds at a time, so that the page stays alive.
import { xchacha20poly1305 } from "../../vendor/noble-ciphers/chacha.js";
import { fromBase64 } from "./key.js";

const VERSION = 1;
const ALGORITHM = "xchacha20poly1305";
const NONCE_BYTES = 24;
const TAG_BYTES = 16;
const SLICE = 10; // milliseconds

// The text of one envelope, or why it does not open; what is said holds nothing of it.
export function openEnvelope(envelope, keyId, key) {
  if (envelope.version !== VERSION) return { why: "is of an unknown version" };
  if (envelope.algorithm !== ALGORITHM) return { why: "is sealed with an unknown algorithm" };
  if (envelope.key_id !== keyId) return { why: "is sealed with another key" };
  const nonce = fromBase64(envelope.nonce);
  const ciphertext = fromBase64(envelope.ciphertext);
  if (!nonce || !ciphertext) return { why: `its ${nonce ? "ciphertext" : "nonce"} is not base64` };
  if (nonce.length !== NONCE_BYTES || ciphertext.length < TAG_BYTES) return { why: "is cut short" };
  let bytes;
  try {
    bytes = xchacha20poly1305(key, nonce).decrypt(ciphertext);
  } catch {
    return { why: "does not open: the key is not the one that sealed it, or the row was changed" };
  }
  try {
    return { text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { why: "opens to what is not text" };
  }
}

const breathe = () => new Promise((resolve) => setTimeout(resolve));

// Every record opened, or every one that does not; `told` hears how many have been tried.
export async function openRecords(records, keyId, key, told) {
  const opened = [];
  const faults = [];
  let began = performance.now();
  for (const [place, record] of records.entries()) {
    const { text, why } = openEnvelope(record.envelope, keyId, key);
    if (why) faults.push({ label: record.label, why });
    else opened.push({ record_id: record.record_id, plaintext: text });
    if (performance.now() - began > SLICE) {
      told(place + 1);
      await breathe();
      began = performance.now();
    }
  }
  told(records.length);
  return { opened, faults };
}

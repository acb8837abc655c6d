// A session key: 32 bytes as base64 or hex, named by a fingerprint. It lives in this tab's memory and nowhere else.
const PREFIX = new TextEncoder().encode("smista.session-key/1\0");
const FINGERPRINT = /^kf_[0-9a-f]{16}$/;
const HEX = /^[0-9a-fA-F]{64}$/;
const KEY_BYTES = 32;

// Base64 of either alphabet, padded or not; null where it is none.
export function fromBase64(text) {
  const bare = text.replace(/={0,2}$/, "");
  const padding = "=".repeat((4 - (bare.length % 4)) % 4);
  if ((text !== bare && text !== bare + padding) || !/^[A-Za-z0-9+/_-]*$/.test(bare) || bare.length % 4 === 1) return null;
  const binary = atob(bare.replace(/-/g, "+").replace(/_/g, "/") + padding);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

// The key that a text holds; null where it holds none.
export function readKey(text) {
  const bare = text.trim();
  const bytes = HEX.test(bare) ? Uint8Array.from(bare.match(/../g), (pair) => parseInt(pair, 16)) : fromBase64(bare);
  return bytes?.length === KEY_BYTES ? bytes : null;
}

// The fingerprint that sessions and envelopes name.
export async function keyIdOf(key) {
  const data = new Uint8Array(PREFIX.length + key.length);
  data.set(PREFIX);
  data.set(key, PREFIX.length);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", data));
  data.fill(0);
  return `kf_${Array.from(digest.slice(0, 8), (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

// Whether `keyId` is the fingerprint of another key. A router may name keys in its own way; then opening alone tells.
export async function namesAnother(keyId, key) {
  return FINGERPRINT.test(keyId) && keyId !== (await keyIdOf(key));
}

// The document of the page: its numbers come as base64 of little-endian typed arrays (src/report/encode.hpp).

export function bytesOf(base64) {
  const text = atob(base64);
  const out = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) out[i] = text.charCodeAt(i);
  return out;
}

/** Numbers of an encoded array; what is missing is NaN. */
export function numbersOf(encoded) {
  const bytes = bytesOf(encoded.data);
  if (encoded.type === "f32") return new Float32Array(bytes.buffer);
  const steps = encoded.type === "u16" ? new Uint16Array(bytes.buffer) : bytes;
  const none = encoded.type === "u16" ? 65535 : 255;
  const out = new Float32Array(steps.length);
  const size = (encoded.high - encoded.low) / (none - 1);
  for (let i = 0; i < steps.length; ++i) out[i] = steps[i] === none ? NaN : encoded.low + size * steps[i];
  return out;
}

/** Class numbers of an encoded array; -1 for none. */
export function codesOf(encoded) {
  const codes = new Uint16Array(bytesOf(encoded.data).buffer);
  return Int32Array.from(codes, c => (c === 65535 ? -1 : c));
}

export function readDocument(text) {
  return JSON.parse(text);
}

/** The least and the greatest of the finite numbers of some lists; [0, 1] if there are none. */
export function rangeOf(...lists) {
  let low = Infinity, high = -Infinity;
  for (const list of lists)
    for (const v of list) {
      if (v === null || !Number.isFinite(v)) continue;
      if (v < low) low = v;
      if (v > high) high = v;
    }
  if (low > high) return [0, 1];
  return low === high ? [low - 0.5, high + 0.5] : [low, high];
}

/** A number as a person reads it: four digits, thousands separated. */
export function shown(value) {
  if (value === null || value === undefined || Number.isNaN(value)) return "";
  if (typeof value !== "number") return String(value);
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (Number.isInteger(value) && size < 1e9) return value.toLocaleString("en-US");
  if (size >= 1e6 || size < 1e-4) return value.toExponential(2);
  return String(Number(value.toPrecision(4)));
}

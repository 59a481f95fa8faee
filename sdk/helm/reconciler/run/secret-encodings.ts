/** The forms in which templates print a text: as it is, encoded, quoted or escaped. */

import { maxMessageLength } from '../../../engine/observe/secret-masker.js'

/** Texts longer than this many characters, such as certificates, are not masked in escaped forms. */
const maxEscapedLength = 1_024
/** The shortest masked line and part of base64, in characters: shorter ones also occur in other texts. */
const minLineLength = 16
const minPartLength = 8

/**
 * A text in the encodings that templates and the messages of Helm can give it. A message has at most the beginning of a
 * text that is longer than any message, or some of its lines.
 */
export function encodingsOf(wholeText: string): string[] {
  const text = wholeText.slice(0, maxMessageLength)
  const base64 = bytesOf(text).toString('base64')
  const forms = [
    text,
    ...base64Of(text),
    ...base64Of(base64),
    ...quotedForms(text),
    ...indented(text),
    ...linesOf(wholeText),
  ]
  return text.length > maxEscapedLength ? forms : [...forms, ...escapedForms(text)]
}

const bytesOf = (text: string) => Buffer.from(text, 'utf8')

/**
 * The forms of a text in base64, also as a part of a longer text, such as `user:password`: depending on its position
 * (modulo 3), a text is encoded differently.
 */
function base64Of(text: string): string[] {
  const parts = [0, 1, 2].map((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), bytesOf(text)])
    // The characters at both ends depend on the bytes around the text.
    return bytes.toString('base64').slice([0, 2, 3][offset], Math.floor((bytes.length * 8) / 6))
  })
  const whole = bytesOf(text).toString('base64').replace(/=+$/, '')
  const forms = [whole, ...parts.filter((part) => part.length >= minPartLength)]
  return forms.flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')])
}

/** The forms of a text as `quote`, `%q` of Go, `toJson` and `toYaml` print it, without the quotes. */
function quotedForms(text: string): string[] {
  const json = JSON.stringify(text).slice(1, -1)
  const goJson = json.replace(/[<>&\u2028\u2029]/g, (form) => `\\u${hex(form.charCodeAt(0), 4)}`)
  const singleQuoted = text.replaceAll("'", "''")
  const plain = [goQuoted(text, false), goQuoted(text, true), yamlQuoted(text), goJson, json, singleQuoted]
  return [...plain, ...plain.map((form) => JSON.stringify(form).slice(1, -1))]
}

const goEscapes: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
}
const yamlEscapes: Readonly<Record<string, string>> = {
  ...goEscapes,
  '\0': '\\0',
  '\x1b': '\\e',
  '\x85': '\\N',
  '\u2028': '\\L',
  '\u2029': '\\P',
}
const hex = (code: number, digits: number) => code.toString(16).padStart(digits, '0')

/** Replaces characters by the table, and the others by what `escapeOther` returns; undefined keeps a character. */
function escapeText(
  text: string,
  escapes: Readonly<Record<string, string>>,
  escapeOther: (code: number) => string | undefined,
): string {
  return [...text].map((form) => escapes[form] ?? escapeOther(form.codePointAt(0) ?? 0) ?? form).join('')
}

/** As `strconv.Quote` of Go prints it; with `isAscii` as `%+q` does. */
const goQuoted = (text: string, isAscii: boolean) =>
  escapeText(text, goEscapes, (code) => {
    if (code < 0x20 || code === 0x7f) return `\\x${hex(code, 2)}`
    if (code < 0x7f || (!isAscii && isPrintable(code))) return undefined
    return code > 0xffff ? `\\U${hex(code, 8)}` : `\\u${hex(code, 4)}`
  })

const isPrintable = (code: number) => !/[\p{C}\p{Z}]/u.test(String.fromCodePoint(code))

const yamlQuoted = (text: string) =>
  escapeText(text, yamlEscapes, (code) => {
    if (code >= 0x20 && code < 0x7f) return undefined
    if (code < 0xa0) return `\\x${hex(code, 2).toUpperCase()}`
    return code > 0xffff ? `\\U${hex(code, 8).toUpperCase()}` : undefined
  })

/** The largest indentation by `indent` that is masked, in spaces. */
const maxSpaces = 16

/** A text of several lines as `indent` prints it. */
function indented(text: string): string[] {
  const spaces = text.includes('\n')
    ? Array.from({ length: maxSpaces }, (_, index) => ' '.repeat(index + 1))
    : []
  return spaces.map((indent) => text.replaceAll('\n', `\n${indent}`))
}

/** The longer lines of a text. */
const linesOf = (text: string) =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line.length >= minLineLength && line !== text && !line.startsWith('-----'))

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  "'": '&#39;',
  '\0': '\ufffd',
}

/** The forms of a short text as URL, HTML, hex and base32 functions of templates print it, and in other case. */
function escapedForms(text: string): string[] {
  const bytes = bytesOf(text)
  const url = [...bytes]
    .map((byte) =>
      /[\w.~-]/.test(String.fromCharCode(byte))
        ? String.fromCharCode(byte)
        : `%${hex(byte, 2).toUpperCase()}`,
    )
    .join('')
  return [
    ...[url, url.replaceAll('%20', '+'), text.replace(/[&<>"'\0]/g, (form) => entities[form] ?? form)],
    ...[bytes.toString('hex'), bytes.toString('hex').toUpperCase(), base32(bytes)],
    ...[text.toUpperCase(), text.toLowerCase()],
  ]
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Base32 without the padding, as `b32enc` prints it. */
function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(/.{1,5}/g) ?? []
  return groups.map((group) => letters[Number.parseInt(group.padEnd(5, '0'), 2)]).join('')
}

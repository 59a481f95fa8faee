// The packets of git's protocol: a length of four hexadecimal digits, then the content.
// https://git-scm.com/docs/protocol-common
import { GitError, serverText } from './git-error.js'

/** The end of a message or of a list. */
export const flush = Buffer.from('0000')
/** The mark between the sections of a message. */
export const delimiter = Buffer.from('0001')

/** A packet that was read: its content, or `flush`, `delimiter` or `end`. */
export type Packet = Buffer | 'flush' | 'delimiter' | 'end'

const special = ['flush', 'delimiter', 'end'] as const

/** A packet with one line. */
export function packet(line: string): Buffer {
  const content = Buffer.from(`${line}\n`)
  return Buffer.concat([Buffer.from((content.length + 4).toString(16).padStart(4, '0')), content])
}

/**
 * Reads the packets of an answer. Throws a {@link GitError} for one that is damaged, or that is an error of the server.
 */
export function* readPackets(answer: Buffer): Generator<Packet> {
  for (let offset = 0; offset < answer.length; ) {
    const digits = answer.toString('latin1', offset, offset + 4)
    const length = /^[0-9a-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : Number.NaN
    const mark = special[length]
    if (mark) {
      yield mark
      offset += 4
      continue
    }
    if (!(length >= 4 && offset + length <= answer.length)) throw new GitError('the answer is not one of git')
    const content = answer.subarray(offset + 4, offset + length)
    if (content.subarray(0, 4).equals(errorMark))
      throw new GitError(`the server refuses: ${serverText(content.subarray(4))}`)
    yield content
    offset += length
  }
}

const errorMark = Buffer.from('ERR ')

/** The text of a packet without its line break. */
export const lineOf = (content: Packet): string =>
  typeof content === 'string' ? '' : content.toString('utf8').replace(/\n$/, '')

// The content of a program as it was read: plain or gzip, within its limit, a text and not a web page.

import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { ProgramError } from './program-error.js'

/** The largest program in bytes, packed and unpacked: 8 MiB. */
export const programLimitBytes = 8 * 1024 * 1024

/**
 * Returns the program, unpacked if it is gzip. Throws `PROGRAM_TOO_LARGE` beyond the limit, and `INVALID_PROGRAM` if
 * the content is empty, damaged, not UTF-8, or a web page.
 */
export async function unpackProgram(name: string, content: Buffer, limitBytes: number): Promise<Buffer> {
  if (content.length > limitBytes) throw tooLargeError(name, limitBytes)
  const program = isGzip(content) ? await unzip(name, content, limitBytes) : content
  if (program.length === 0) throw new ProgramError('INVALID_PROGRAM', `${name}: the content is empty`)
  const text = decodeUtf8(name, program)
  if (/^\s*<(?:!doctype|html)\b/i.test(text.slice(0, 1024)))
    throw new ProgramError('INVALID_PROGRAM', `${name}: the content is a web page, not a program`)
  return program
}

/** The error of a program, or of another file, that exceeds the limit. */
export function tooLargeError(name: string, limitBytes: number, what = 'program'): ProgramError {
  const advice = what === 'program' ? '; bundle it without what it does not need' : ''
  return new ProgramError(
    'PROGRAM_TOO_LARGE',
    `${name}: the ${what} is larger than ${limitBytes} bytes${advice}`,
  )
}

function isGzip(content: Buffer): boolean {
  return content[0] === 0x1f && content[1] === 0x8b
}

async function unzip(name: string, content: Buffer, limitBytes: number): Promise<Buffer> {
  try {
    return await promisify(gunzip)(content, { maxOutputLength: limitBytes })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw tooLargeError(name, limitBytes)
    throw new ProgramError(
      'INVALID_PROGRAM',
      `${name}: the gzip content is damaged: ${(cause as Error).message}`,
      { cause },
    )
  }
}

function decodeUtf8(name: string, program: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(program)
  } catch (cause) {
    throw new ProgramError('INVALID_PROGRAM', `${name}: the content is not UTF-8 text`, { cause })
  }
}

// The settings of a Pod that copies, from its environment.
import { writeFileSync } from 'node:fs'
import type { Sum } from './frames.js'

/** The settings. */
export interface Settings {
  readonly role: string
  readonly host: string
  readonly port: number
  readonly folder: string
  /** The key that both Pods have. */
  readonly key: Buffer
  /** The file that the kubelet shows as the message of the Pod. */
  readonly report: string
}

/** The only cipher: both ends prove that they have the key, and the stream is encrypted with a key of its own. */
export const tlsOptions = {
  ciphers: 'ECDHE-PSK-CHACHA20-POLY1305',
  minVersion: 'TLSv1.2',
  maxVersion: 'TLSv1.2',
} as const

/** The PSK identity that the client sends with the key. */
export const identity = 'fork'
/** How long a connection may be silent, in milliseconds. */
export const silenceMs = 120_000
/** The answer of the receiving Pod when it has written everything. */
export const receivedAnswer = 'received'

/** Reads the settings. */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const { COPY_ROLE = '', COPY_HOST = '', COPY_PORT = '7070', COPY_FOLDER = '/data', COPY_KEY = '' } = env
  const { COPY_REPORT = '/dev/termination-log' } = env
  const key = Buffer.from(COPY_KEY, 'hex')
  if (key.length < 32) throw new Error('COPY_KEY must be 32 bytes in hex')
  return {
    role: COPY_ROLE,
    host: COPY_HOST,
    port: Number(COPY_PORT),
    folder: COPY_FOLDER,
    key,
    report: COPY_REPORT,
  }
}

/** Writes a result to the termination message file of the Pod. */
export function reportTo(file: string, what: Sum | { readonly error: string }): void {
  writeFileSync(file, JSON.stringify(what).slice(0, 2048))
}

// Loads the program of a Module: one file of JavaScript from a server, a ConfigMap or a folder. The content is fetched
// within limits and compared with its digest before any of it is kept. This folder does not execute programs.
import type { AllowList } from './allow-list.js'
import { checkDigest, digestOf, parseDigest } from './digest.js'
import { type FetchOptions, fetchProgram } from './fetch-program.js'
import { ProgramError } from './program-error.js'
import { nameOfConfigMap, type ProgramConfigMap, programOfConfigMap } from './program-of-config-map.js'
import { readProgramFile } from './read-program-file.js'
import { programLimitBytes, unpackProgram } from './unpack-program.js'

/** The place of a program: a URL (`https:`, `http:`, `file:`) or a ConfigMap. */
export type ProgramSource = (
  | { readonly url: string; readonly authorization?: string | undefined }
  | { readonly configMap: ProgramConfigMap; readonly key?: string | undefined }
) & {
  /** Digest of the unpacked program: `sha256-<base64>`, `sha256:<hex>`, or the same with sha512. */
  readonly digest?: string | undefined
}

/** How programs are loaded. */
export interface LoadOptions extends Omit<FetchOptions, 'authorization'> {
  /** The allowed URLs and addresses. */
  readonly allowList: AllowList
  /** The folder that contains the files of `file:` URLs. Default: such URLs are refused. */
  readonly folder?: string | undefined
  /** Whether programs from servers need a digest. Default: true. */
  readonly requireDigest?: boolean | undefined
}

/** A program whose content was checked. */
export interface LoadedProgram {
  /** The program as UTF-8, unpacked. */
  readonly content: Buffer
  /** Its SHA-256, as `sha256-<base64>`. */
  readonly digest: string
}

/**
 * Loads a program and compares it with its digest. Throws {@link ProgramError}, whose code says what was wrong.
 *
 * @example
 * ```ts
 * const allowList = new AllowList({ allow: ['https://programs.example/'] })
 * const { content, digest } = await loadProgram({ url: 'https://programs.example/app.mjs', digest }, { allowList })
 * ```
 */
export async function loadProgram(source: ProgramSource, options: LoadOptions): Promise<LoadedProgram> {
  const { limitBytes = programLimitBytes, requireDigest = true } = options
  const name = nameOf(source)
  if (source.digest === undefined && requireDigest && isRemote(source))
    throw new ProgramError(
      'MISSING_DIGEST',
      `${name}: a program from a server needs a digest; set digest next to the URL`,
    )
  const digest = source.digest === undefined ? undefined : parseDigest(source.digest)
  const content = await unpackProgram(name, await readSource(source, options, limitBytes), limitBytes)
  if (digest) checkDigest(name, content, digest)
  return { content, digest: digestOf(content) }
}

async function readSource(source: ProgramSource, options: LoadOptions, limitBytes: number): Promise<Buffer> {
  if ('configMap' in source) return programOfConfigMap(source.configMap, source.key ?? 'plugin', limitBytes)
  if (!isRemote(source)) return await readProgramFile(source.url, options.folder, limitBytes)
  return await fetchProgram(source.url, { ...options, authorization: source.authorization })
}

function isRemote(source: ProgramSource): boolean {
  return 'url' in source && !/^\s*file:/i.test(source.url)
}

function nameOf(source: ProgramSource): string {
  if ('configMap' in source) return nameOfConfigMap(source.configMap, source.key ?? 'plugin')
  return source.url.replace(/[?#].*$/s, '').replace(/\/\/[^/]*@/, '//')
}

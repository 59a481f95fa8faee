import { createHash } from 'node:crypto'
import * as z from 'zod'
import type { FileContent } from './chart/chart-content.js'
import { licenses } from './programs/license.js'
import type { CreateArguments } from './programs/program-kind.js'

/** The file that says from which templates a project was written, in its folder. */
export const recordFile = '.vcluster-plugin-template.json'

const recordSchema = z.object({
  /** The version of the SDK whose templates were used last. */
  sdk: z.string(),
  /** The arguments of `create` with the answers to its questions. */
  create: z.object({
    name: z.string(),
    kind: z.string().optional(),
    direction: z.string().optional(),
    vclusterVersion: z.string().optional(),
    chart: z.string().optional(),
    api: z.string().optional(),
    origin: z.string().optional(),
    license: z.enum(licenses).optional(),
    year: z.number().optional(),
  }),
  /** The SHA-256 of each file as the templates wrote it, by path. */
  files: z.record(z.string(), z.string()),
})

/** The content of {@link recordFile}. */
export type TemplateRecord = z.infer<typeof recordSchema>

/** The record of a project's files. */
export function templateRecord(
  sdk: string,
  create: TemplateRecord['create'],
  files: Readonly<Record<string, FileContent>>,
): TemplateRecord {
  const digests = Object.entries(files).map(([path, content]) => [path, contentDigest(content)])
  return { sdk, create, files: Object.fromEntries(digests) }
}

/** The record as the text of its file. */
export const formatRecord = (record: TemplateRecord) => `${JSON.stringify(record, undefined, 2)}\n`

/** Reads the text of a record; undefined if it is not one. */
export function parseRecord(text: string): TemplateRecord | undefined {
  try {
    return recordSchema.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

/** The arguments that are recorded, in a fixed order. */
export function recordedArguments(
  name: string,
  {
    kind,
    direction,
    vclusterVersion,
    chart,
    api,
    origin,
    license,
    year = new Date().getFullYear(),
  }: CreateArguments,
): TemplateRecord['create'] {
  return {
    name,
    ...(kind !== undefined && { kind }),
    ...(direction !== undefined && { direction }),
    ...(vclusterVersion !== undefined && { vclusterVersion }),
    ...(chart !== undefined && { chart }),
    ...(api !== undefined && { api }),
    ...(origin !== undefined && { origin }),
    ...(license !== undefined && { license }),
    ...(license === 'MIT' && { year }),
  }
}

/** The SHA-256 of a file's content, in hexadecimal. */
export const contentDigest = (content: FileContent) => createHash('sha256').update(content).digest('hex')

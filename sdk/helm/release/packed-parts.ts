// The parts of a record of Helm. A gzip file may consist of several members that unpack to one text, so a record is the
// concatenation of three compressed parts. The first two are cached, because steps of an operation change only the
// last.
import { promisify } from 'node:util'
import { constants, gzip, gzipSync } from 'node:zlib'
import { stringifyJson } from '../../engine/kube/json.js'
import type { RecordedChart, RecordedFile } from '../render/renderer.js'
import type { Release } from './release.js'

/** Below this size, in bytes, compression takes less time than handing it to another thread. */
const smallBytes = 64 * 2 ** 10
const gzipInThread = promisify(gzip)

/** A text as a member of a gzip file, with the best compression, as Helm does it. */
export async function packText(text: string): Promise<Buffer> {
  const options = { level: constants.Z_BEST_COMPRESSION }
  return text.length < smallBytes ? gzipSync(text, options) : gzipInThread(text, options)
}

type Files = readonly RecordedFile[]

interface PackedFiles {
  readonly templates: Files
  readonly files: Files
  readonly packed: Promise<Buffer>
}

const packedByTemplates = new WeakMap<Files, readonly PackedFiles[]>()
/** The number of cached variants of a chart: with all of its files, and with its templates alone. */
const maxVariants = 2

/** The first part of a record: the files of the chart, which are the same in all of its revisions. */
export async function packFiles({ templates, files }: RecordedChart): Promise<Buffer> {
  const candidates = packedByTemplates.get(templates) ?? []
  const isSame = (one: PackedFiles) => one.files === files || one.files.length + files.length === 0
  const packedFiles = candidates.find(isSame) ?? { templates, files, packed: pack(templates, files) }
  packedByTemplates.set(
    templates,
    [packedFiles, ...candidates.filter((one) => one !== packedFiles)].slice(0, maxVariants),
  )
  return packedFiles.packed
}

function pack(templates: Files, files: Files): Promise<Buffer> {
  // The JSON object of the chart stays open: the second part continues it.
  return packText(`{"chart":{"templates":${stringifyJson(templates)},"files":${stringifyJson(files)}`)
}

type Content = Pick<Release, 'chart' | 'config' | 'manifest'>

const packedByChart = new WeakMap<RecordedChart, Content & { readonly packed: Promise<Buffer> }>()

/**
 * The second part of a record: the rest of the chart, the values and the manifest, which stay the same during a
 * revision. It ends with a comma, because the third part continues the JSON object.
 */
export async function packContent(content: Content): Promise<Buffer> {
  const { chart, config, manifest } = content
  const existing = packedByChart.get(chart)
  if (existing && existing.config === config && existing.manifest === manifest) return existing.packed
  const { templates: _, files: __, ...rest } = chart
  const restOfChart = stringifyJson(rest).slice(1)
  const valuesAndManifest = stringifyJson({ config, manifest }).slice(1, -1)
  const packed = packText(`${restOfChart === '}' ? '' : ','}${restOfChart},${valuesAndManifest},`)
  packedByChart.set(chart, { ...content, packed })
  return packed
}

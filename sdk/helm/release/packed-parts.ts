import { promisify } from 'node:util'
import { constants, gzip, gzipSync } from 'node:zlib'
import { stringifyJson } from '../../engine/kube/json.js'
import type { RecordedChart, RecordedFile } from '../render/renderer.js'
import type { Release } from './release.js'

/** Below this size, in bytes, compression takes less time than handing it to another thread. */
const smallBytes = 64 * 2 ** 10
const zipLater = promisify(gzip)

/** A member of a gzip file, with the best compression, as Helm does it. */
export async function packedText(text: string): Promise<Buffer> {
  const options = { level: constants.Z_BEST_COMPRESSION }
  return text.length < smallBytes ? gzipSync(text, options) : zipLater(text, options)
}

type Files = readonly RecordedFile[]

interface PackedFiles {
  readonly templates: Files
  readonly files: Files
  readonly packed: Promise<Buffer>
}

const ofFiles = new WeakMap<Files, readonly PackedFiles[]>()
/** A chart is recorded with all of its files, or without those that are not templates. */
const mostSorts = 2

/** The beginning of a record: the files of the chart, which all of its revisions have. */
export async function packedFiles({ templates, files }: RecordedChart): Promise<Buffer> {
  const known = ofFiles.get(templates) ?? []
  const isSame = (one: PackedFiles) => one.files === files || one.files.length + files.length === 0
  const found = known.find(isSame) ?? { templates, files, packed: pack(templates, files) }
  ofFiles.set(templates, [found, ...known.filter((one) => one !== found)].slice(0, mostSorts))
  return found.packed
}

function pack(templates: Files, files: Files): Promise<Buffer> {
  return packedText(`{"chart":{"templates":${stringifyJson(templates)},"files":${stringifyJson(files)}`)
}

type Content = Pick<Release, 'chart' | 'config' | 'manifest'>

const ofContent = new WeakMap<RecordedChart, Content & { readonly packed: Promise<Buffer> }>()

/** The next part of a record: everything else that one revision keeps. It ends with a comma. */
export async function packedContent(content: Content): Promise<Buffer> {
  const { chart, config, manifest } = content
  const known = ofContent.get(chart)
  if (known && known.config === config && known.manifest === manifest) return known.packed
  const { templates: _, files: __, ...rest } = chart
  const members = stringifyJson(rest).slice(1)
  const after = stringifyJson({ config, manifest }).slice(1, -1)
  const packed = packedText(`${members === '}' ? '' : ','}${members},${after},`)
  ofContent.set(chart, { ...content, packed })
  return packed
}

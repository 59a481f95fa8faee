import { posix } from 'node:path'
import { promisify } from 'node:util'
import { gunzip, gunzipSync } from 'node:zlib'
import type { ChartFile } from './chart.js'
import { ChartProblem } from './chart-problem.js'
import { ChartSize, maxChartBytes, withoutByteOrderMark } from './limits.js'
import { type TarEntry, tarEntries } from './tar.js'

const unzipLater = promisify(gunzip)
/** Below this size, in bytes, unpacking takes less time than handing it to another thread. */
const smallBytes = 64 * 2 ** 10
/** The limit of the headers of an archive, in bytes, in addition to the limit of its files. */
const maxHeaderBytes = 32 * 2 ** 20

/**
 * Reads the files of a chart's archive: everything below its one folder. Rejects with {@link ChartProblem} for an
 * archive that is damaged or too large, and for a path that leaves the archive. Refuses links as well: `helm package`
 * writes none.
 */
export async function readArchive(archive: Uint8Array, size = new ChartSize()): Promise<ChartFile[]> {
  const files: ChartFile[] = []
  for (const entry of tarEntries(await unpack(archive, size.remainingBytes))) {
    if (entry.type === 'folder') continue
    size.add(entry.name, entry.data.byteLength)
    files.push({ name: pathInChart(entry), data: withoutByteOrderMark(entry.data) })
  }
  if (files.length === 0) throw new ChartProblem('its archive is empty')
  return files
}

async function unpack(archive: Uint8Array, restBytes: number): Promise<Buffer> {
  if (archive[0] !== 0x1f || archive[1] !== 0x8b)
    throw new ChartProblem('it is neither a folder nor an archive of `helm package` (.tgz)')
  try {
    return await unzip(
      Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength),
      restBytes + maxHeaderBytes,
    )
  } catch (error) {
    if (error instanceof RangeError)
      throw new ChartProblem(`it has more than ${maxChartBytes} bytes, the most that Helm reads`)
    const reason = error instanceof Error ? error.message : String(error)
    throw new ChartProblem(`its archive cannot be unpacked: ${reason}`, { cause: error })
  }
}

async function unzip(archive: Buffer, maxOutputLength: number): Promise<Buffer> {
  // The last four bytes contain the size of the content; `maxOutputLength` catches a wrong size.
  const size = archive.length < 4 ? 0 : archive.readUInt32LE(archive.length - 4)
  return size < smallBytes
    ? gunzipSync(archive, { maxOutputLength: smallBytes })
    : unzipLater(archive, { maxOutputLength })
}

/** The path of an entry without the chart's folder. Throws {@link ChartProblem} for a path that could leave it. */
function pathInChart({ name, type }: TarEntry): string {
  const shown = JSON.stringify(name)
  if (type !== 'file')
    throw new ChartProblem(`its archive has the link or device ${shown}; pack it with \`helm package\``)
  const separator = name.includes('\\') ? '\\' : '/'
  const [folder, ...rest] = name.split(separator)
  if (folder === 'Chart.yaml') throw new ChartProblem('its archive has Chart.yaml outside of a folder')
  const path = posix.normalize(rest.join('/'))
  if (path === '.' || /^(\/|\.\.|[a-zA-Z]:\/)/.test(path))
    throw new ChartProblem(`its archive has the path ${shown}, which leaves the chart's folder`)
  return path
}

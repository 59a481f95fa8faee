import { countYamlValues, maxYamlValues } from '../../engine/kube/yaml-size.js'
import { ChartProblem } from './chart-problem.js'

const mebibyte = 2 ** 20

/** The largest file of a chart in bytes, as in Helm. */
export const maxFileBytes = 5 * mebibyte
/** The largest chart in bytes, without compression, as in Helm. */
export const maxChartBytes = 100 * mebibyte
/**
 * The limit of YAML values in the templates and `crds/` of an untrusted chart: four times as many as in the largest
 * public charts.
 */
const maxTextValues = 1_000_000

/** Counts the bytes of a chart, those of the archives in it included. */
export class ChartSize {
  readonly #maxYamlBytes: number
  #bytes = 0
  #yamlBytes = 0
  #yamlValues = 0
  #textValues = 0

  /** `maxYamlBytes` limits the YAML of an untrusted chart; default: the chart is trusted, and there is no limit. */
  constructor(maxYamlBytes = Number.POSITIVE_INFINITY) {
    this.#maxYamlBytes = maxYamlBytes
  }

  /** How many more bytes are allowed. */
  get remainingBytes(): number {
    return maxChartBytes - this.#bytes
  }

  /** Counts a file. Throws {@link ChartProblem} if the file, or all files together, are too large. */
  add(name: string, bytes: number): void {
    if (bytes > maxFileBytes)
      throw new ChartProblem(
        `its file ${name} has ${bytes} bytes, and Helm reads at most ${maxFileBytes} of a file`,
      )
    this.#bytes += bytes
    if (this.#bytes > maxChartBytes)
      throw new ChartProblem(`it has more than ${maxChartBytes} bytes, the most that Helm reads`)
  }

  /**
   * Counts YAML before it is parsed, because parsing blocks the event loop and needs much more memory. Throws {@link
   * ChartProblem} if the limit is exceeded.
   */
  addYaml(data: Uint8Array): void {
    this.#yamlBytes += data.byteLength
    this.#yamlValues += countYamlValues(Buffer.from(data).toString('latin1'))
    if (this.#yamlBytes > this.#maxYamlBytes)
      throw new ChartProblem(
        `it has more than ${this.#maxYamlBytes} bytes of YAML in Chart.yaml, values.yaml and their like`,
      )
    if (this.#yamlValues > maxYamlValues)
      throw new ChartProblem(
        `it has up to ${this.#yamlValues} values in Chart.yaml, values.yaml and their like, and at most ${maxYamlValues} are read`,
      )
  }

  /**
   * Counts a template, or a file in `crds/`, of an untrusted chart before the chart is rendered, because a huge file
   * uses up the time and memory of the renderer. Throws {@link ChartProblem} if the limit is exceeded.
   */
  addText(name: string, data: Uint8Array): void {
    if (this.#maxYamlBytes === Number.POSITIVE_INFINITY) return
    const count = countYamlValues(
      Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString('latin1'),
    )
    this.#textValues += count
    if (count > maxYamlValues)
      throw new ChartProblem(
        `its file ${name} has up to ${count} values, and at most ${maxYamlValues} of a template or a file in crds/ are read; split it`,
      )
    if (this.#textValues > maxTextValues)
      throw new ChartProblem(
        `it has more than ${maxTextValues} values in templates and crds/, the most that are read`,
      )
  }
}

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

/** The content of a file without the byte order mark that some editors write. */
export function withoutByteOrderMark(data: Uint8Array): Uint8Array {
  return byteOrderMark.equals(data.subarray(0, 3)) ? data.subarray(3) : data
}

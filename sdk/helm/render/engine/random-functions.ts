import { stringifyJson } from '../../../engine/kube/json.js'
import type { FileChart } from '../../chart/chart.js'
import type { JsonObject } from '../../chart/json-object.js'

/**
 * The template functions whose result differs from call to call: random numbers, keys, and the time. Functions of dates
 * take the present time for anything but a date.
 */
const randomFunction =
  /\b(?:rand\w+|uuidv4|shuffle|gen(?:CA|PrivateKey|SelfSigned|Signed)\w*|htpasswd|bcrypt|encryptAES|now|ago|htmlDate\w*|date(?:InZone|_in_zone)|durationRound|date(?=\s+["\\`$(]))\b/

/** Whether a rendering may contain random text: by a template, or by a value that a template renders with `tpl`. */
export function mayBeRandom(chart: FileChart, values: JsonObject): boolean {
  return hasRandomAction(stringifyJson(values)) || isRandomChart(chart)
}

/**
 * Whether a text calls a random function inside a template action. Plain text may contain the same words. Each part
 * between two openings is searched once: users choose the text, and it may have megabytes of such words.
 */
function hasRandomAction(text: string): boolean {
  const afterOpenings = text.split('{{').slice(1)
  return afterOpenings.some((part) => randomFunction.test(part.split('}}', 1)[0] ?? ''))
}

const randomCharts = new WeakMap<FileChart, boolean>()

function isRandomChart(chart: FileChart): boolean {
  const isRandom = randomCharts.get(chart) ?? hasRandomText(chart)
  randomCharts.set(chart, isRandom)
  return isRandom
}

function hasRandomText({ files, subcharts }: FileChart): boolean {
  const rendered = files.filter(({ name }) => !name.startsWith('crds/'))
  const isRandomItself = rendered.some(({ data }) => hasRandomAction(Buffer.from(data).toString('latin1')))
  return isRandomItself || subcharts.some(isRandomChart)
}

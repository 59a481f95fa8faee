import { stringifyJson } from '../../../kube/json.js'
import type { FileChart } from '../../chart/chart.js'
import type { JsonObject } from '../../chart/json-object.js'

/** The template functions whose result differs from call to call: random numbers, keys, and the time. */
const randomFunctions =
  /\b(?:rand\w+|uuidv4|shuffle|gen(?:CA|PrivateKey|SelfSigned|Signed)\w*|htpasswd|bcrypt|encryptAES|now|ago)\b/

/** Whether a rendering may contain random text: by a template, or by a value that a template renders with `tpl`. */
export function mayBeRandom(chart: FileChart, values: JsonObject): boolean {
  return randomFunctions.test(stringifyJson(values)) || isRandomChart(chart)
}

const known = new WeakMap<FileChart, boolean>()

function isRandomChart(chart: FileChart): boolean {
  const found = known.get(chart) ?? hasRandomText(chart)
  known.set(chart, found)
  return found
}

function hasRandomText({ files, subcharts }: FileChart): boolean {
  const own = files.some(({ data }) => randomFunctions.test(Buffer.from(data).toString('latin1')))
  return own || subcharts.some(isRandomChart)
}

import type { FileChart } from '../chart/chart.js'
import { chartOfFiles } from '../chart/chart-of-files.js'
import { RenderError } from '../render/render-error.js'
import type { ChartRenderer } from '../render/renderer.js'
import { ValueProblem } from './read-value.js'

const template = `apiVersion: v1
kind: ConfigMap
metadata: { name: text }
data: { text: {{ tpl .Values.text (dict) | toJson }} }
`
const files = {
  'Chart.yaml': 'apiVersion: v2\nname: text\nversion: 1.0.0\n',
  'templates/text.yaml': template,
}

const textChart = (): Promise<FileChart> =>
  chartOfFiles(
    Object.entries(files).map(([name, text]) => ({ name, data: Buffer.from(text) })),
    'a value',
  )

/** Renders a text as a template without data, with the functions of Helm. Rejects with `ValueProblem`. */
export async function renderText(renderer: ChartRenderer, text: string): Promise<string> {
  const request = {
    chart: await textChart(),
    values: { text },
    release: { name: 'text', namespace: 'default', revision: 1, isInstall: true },
    capabilities: { kubeVersion: 'v1.30.0', apiVersions: [] },
  }
  try {
    const { objects } = await renderer.render(request, new AbortController().signal)
    const rendered = objects[0]?.object as { data?: { text?: string } } | undefined
    return rendered?.data?.text ?? ''
  } catch (error) {
    if (!(error instanceof RenderError)) throw error
    throw new ValueProblem(`the template cannot be rendered: ${error.message}`, { cause: error })
  }
}

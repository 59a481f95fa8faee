import type { KubeObject } from '../../../sdk/engine/kube/object.js'
import { formatted } from '../../terminal/output.js'
import { chartReadme } from './chart-readme.js'
import type { ChartValue } from './chart-values.js'
import { templateOf } from './tokens.js'

/** A file of a chart. */
export interface ChartText {
  /** Relative, with slashes. */
  path: string
  text: string
}

/** The content of a chart. */
export interface ChartDesign {
  name: string
  version: string
  description: string
  /** For Artifact Hub. */
  annotations: Readonly<Record<string, string>>
  values: readonly ChartValue[]
  /** The objects, with tokens for values, by the name of their file. */
  templates: Readonly<Record<string, readonly ChartObject[]>>
}

/** An object of a chart. */
export interface ChartObject {
  object: KubeObject
  /** The condition under which it is installed, an expression of a template; default always. */
  condition?: string
}

/** The folder of the templates in a chart. */
export const templates = 'templates'
/** The first line of each template, by which a later call knows that it may remove the file. Helm leaves it out. */
export const templateComment = '{{- /* vcluster-plugin writes this file. */ -}}\n'

/** The files of a chart that `helm install` takes. */
export async function chartFiles(design: ChartDesign): Promise<ChartText[]> {
  const { name, version, description, annotations, values } = design
  const chart = {
    apiVersion: 'v2',
    name,
    description,
    type: 'application',
    version,
    appVersion: version,
    annotations,
  }
  const used = Object.entries(design.templates).filter(([, objects]) => objects.length > 0)
  return [
    { path: 'Chart.yaml', text: await yamlOf(chart) },
    { path: 'README.md', text: chartReadme(design) },
    { path: 'values.yaml', text: valuesText(values) },
    { path: 'values.schema.json', text: `${JSON.stringify(valuesSchema(name, values), undefined, 2)}\n` },
    ...(await Promise.all(
      used.map(async ([file, objects]) => ({
        path: `${templates}/${file}.yaml`,
        text: templateComment + (await Promise.all(objects.map(template))).join('---\n'),
      })),
    )),
  ]
}

const yamlOf = (data: unknown) => formatted({ table: [], data }, 'yaml')

async function template({ object, condition }: ChartObject): Promise<string> {
  const text = templateOf(await yamlOf(object))
  return condition === undefined ? text : `{{- if ${condition} }}\n${text}{{- end }}\n`
}

const valuesText = (values: readonly ChartValue[]) =>
  values
    .map(({ name, schema, fallback }) => `# ${schema.description}\n${name}: ${JSON.stringify(fallback)}\n`)
    .join('\n')

/** Helm reads draft 7 in every version; it adds `global` to the values of a chart that is a part of another one. */
const valuesSchema = (name: string, values: readonly ChartValue[]) => ({
  $schema: 'http://json-schema.org/draft-07/schema#',
  title: `Values of the chart ${name}`,
  type: 'object',
  additionalProperties: false,
  required: values.map((value) => value.name),
  properties: {
    global: { type: 'object' },
    ...Object.fromEntries(values.map((value) => [value.name, value.schema])),
  },
})

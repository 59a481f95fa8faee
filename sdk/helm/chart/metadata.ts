import { isJsonObject } from '../../engine/kube/json-object.js'
import type { ChartDependency, ChartMetadata } from './chart.js'
import { ChartProblem } from './chart-problem.js'
import type { JsonObject } from './json-object.js'

/** The text fields of a `Chart.yaml`; Helm also accepts numbers and booleans for them. */
const textFields = [
  ...['apiVersion', 'name', 'version', 'appVersion', 'description', 'type', 'kubeVersion', 'home', 'icon'],
  ...['condition', 'tags'],
]
const textLists = ['sources', 'keywords']
const aliasFormat = /^[a-zA-Z0-9_-]+$/
const number = '(?:0|[1-9]\\d*)'
const identifiers = '[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*'
/** Minor and patch may be left out, as Helm permits. */
const semver = new RegExp(
  `^v?${number}(?:\\.${number})?(?:\\.${number})?(?:-(${identifiers}))?(?:\\+${identifiers})?$`,
)

/**
 * The metadata in the content of a `Chart.yaml`, and of the `requirements.yaml` of charts of the first version. Throws
 * {@link ChartProblem} for what Helm refuses to load.
 */
export function chartMetadata(chart: JsonObject, requirements: JsonObject = {}): ChartMetadata {
  const read = { ...chart, ...requirements }
  const fields = {
    ...textsOf(read, textFields),
    ...listsOf(read),
    ...(read.deprecated === true && { deprecated: true }),
    ...(isJsonObject(read.annotations) && {
      annotations: textsOf(read.annotations, Object.keys(read.annotations)),
    }),
    ...(Array.isArray(read.maintainers) && { maintainers: read.maintainers.map(maintainerOf) }),
    ...(Array.isArray(read.dependencies) && { dependencies: read.dependencies.map(dependencyOf) }),
  }
  const { name = '', version = '', apiVersion = 'v1' } = fields as { [field: string]: string | undefined }
  const metadata: ChartMetadata = { ...fields, apiVersion, name, version }
  checkName(metadata)
  checkVersion(metadata)
  checkDependencies(metadata.dependencies ?? [])
  return metadata
}

function checkName({ name }: ChartMetadata): void {
  if (name === '') throw new ChartProblem('its Chart.yaml has no name; write that of the folder')
  if (name === '.' || name === '..' || name.includes('/'))
    throw new ChartProblem(`the name ${JSON.stringify(name)} in its Chart.yaml is not the name of a chart`)
}

function checkVersion({ version, type = '' }: ChartMetadata): void {
  if (version === '') throw new ChartProblem('its Chart.yaml has no version; write one such as 1.0.0')
  const [, prerelease = ''] = semver.exec(version) ?? []
  if (!semver.test(version) || prerelease.split('.').some((part) => /^0\d+$/.test(part)))
    throw new ChartProblem(
      `the version ${JSON.stringify(version)} in its Chart.yaml is not a semantic version`,
    )
  if (!['', 'application', 'library'].includes(type))
    throw new ChartProblem(
      `the type ${JSON.stringify(type)} in its Chart.yaml is neither "application" nor "library"`,
    )
}

function checkDependencies(dependencies: readonly ChartDependency[]): void {
  const names = new Set<string>()
  for (const { name, alias } of dependencies) {
    if (alias && !aliasFormat.test(alias))
      throw new ChartProblem(
        `the alias ${JSON.stringify(alias)} of its dependency ${name} has characters other than a-z, A-Z, 0-9, _ and -`,
      )
    const used = alias || name
    if (names.has(used))
      throw new ChartProblem(`it has two dependencies of the name or alias ${JSON.stringify(used)}`)
    names.add(used)
  }
}

function listsOf(read: JsonObject): JsonObject {
  const listFields = textLists.filter((field) => Array.isArray(read[field]))
  return Object.fromEntries(
    listFields.map((field) => [field, (read[field] as unknown[]).map((text) => textOf(field, text) ?? '')]),
  )
}

function maintainerOf(read: unknown): JsonObject {
  if (!isJsonObject(read)) throw new ChartProblem('its Chart.yaml has an empty entry in maintainers')
  return textsOf(read, ['name', 'email', 'url'])
}

function dependencyOf(read: unknown): ChartDependency {
  if (!isJsonObject(read)) throw new ChartProblem('its Chart.yaml has an empty entry in dependencies')
  const { tags, 'import-values': imported } = read
  return {
    name: '',
    ...textsOf(read, ['name', 'version', 'repository', 'condition', 'alias']),
    ...(Array.isArray(tags) && { tags: tags.map((tag) => textOf('tags', tag) ?? '') }),
    ...(Array.isArray(imported) && { 'import-values': imported }),
  }
}

function textsOf(read: JsonObject, fields: readonly string[]): Record<string, string> {
  const texts = fields.map((field) => [field, textOf(field, read[field])] as const)
  return Object.fromEntries(texts.filter((entry): entry is [string, string] => entry[1] !== undefined))
}

/** The text of a field. As in Helm, white space becomes spaces, and control characters are removed. */
function textOf(field: string, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'object') throw new ChartProblem(`${field} in its Chart.yaml is not text`)
  return String(value)
    .replace(/\s/gu, ' ')
    .replace(/[\p{C}]/gu, '')
}

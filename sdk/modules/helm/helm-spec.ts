// The part of a Module about its Helm release: `spec.helm`, or the spec of a definition of the kind Helm.
import * as z from 'zod'
import { PermanentError } from '../../engine/kube/error.js'
import { issueText } from '../../engine/kube/issue-text.js'
import { isReleaseName } from '../../helm/release/release-name.js'
import { configMapKey, nameIn } from '../kinds/fields.js'
import { renderTemplates } from '../template/render-templates.js'

const text = z.string().min(1)

const chartSource = z.object({
  repo: z
    .object({
      url: text,
      chart: text,
      version: text.optional(),
      /** Digest of the archive, as that of a program. */
      digest: text.optional(),
      /** The Secret with the credentials of the repository. */
      auth: nameIn('default').optional(),
    })
    .optional(),
  configMap: configMapKey('chart.tgz').optional(),
  git: z
    .object({
      repo: text,
      /** The folder of the chart. */
      path: text.default('/'),
      /** A branch, a tag, or the full name of a commit. */
      revision: text.default('main'),
      /** The Secret with the credentials of the repository. */
      auth: z.strictObject({ httpsSecretRef: nameIn('default').optional() }).optional(),
    })
    .optional(),
})

const values = z.object({
  file: text.optional(),
  configMap: configMapKey('values.yaml').optional(),
  raw: z.record(z.string(), z.unknown()).optional(),
})

const output = z.object({
  name: text,
  value: z.unknown().optional(),
  valueFrom: z
    .object({ secret: z.object({ name: text, namespace: text.optional(), key: text }).optional() })
    .optional(),
})

const cleanup = z.object({
  removeNamespace: z.boolean().default(false),
  removePVCs: z.boolean().default(false),
})

const helmSchema = z.strictObject({
  existingRelease: nameIn('default').optional(),
  chart: chartSource.optional(),
  releaseName: z.string().optional(),
  namespace: text.default('default'),
  values: z.array(values).default([]),
  outputs: z.array(output).default([]),
  cleanup: cleanup.default({ removeNamespace: false, removePVCs: false }),
  /** The data that a fork copies. */
  migration: z.unknown().optional(),
})

/** A Helm release as a Module asks for it. */
export type HelmSpec = z.output<typeof helmSchema>
/** The origin of a chart. */
export type ChartSource = z.output<typeof chartSource>
/** Values of a release. */
export type ValuesSource = z.output<typeof values>
/** A value that a release gives its users. */
export type Output = z.output<typeof output>

/** The path of a spec in messages. */
export const helmPath = 'spec.helm'

/** Reads a spec whose templates are rendered. Throws a `PermanentError` with every mistake. */
export function readHelmSpec(spec: unknown): HelmSpec {
  const { data, error } = helmSchema.safeParse(normalizeSpelling(spec))
  if (error)
    throw specError(
      error.issues.map((issue) => `${[helmPath, ...issue.path].join('.')}: ${issueText(issue)}`),
    )
  const problems = problemsOf(data)
  if (problems.length > 0) throw specError(problems.map((problem) => `${helmPath}: ${problem}`))
  return data
}

/** The `cleanup` of a spec whose templates are not rendered. */
export function readCleanup(
  spec: Record<string, unknown>,
  config: Readonly<Record<string, unknown>>,
): z.output<typeof cleanup> {
  const options = { values: { config }, random: () => '', path: `${helmPath}.cleanup` }
  return cleanup.parse(renderTemplates(spec.cleanup ?? {}, options))
}

/** A definition of the kind Helm names the chart of a repository next to its values. */
function normalizeSpelling(spec: unknown): unknown {
  const { repo, chartName, version, ...others } = spec as Record<string, unknown>
  if (typeof repo !== 'string' && chartName === undefined) return spec
  const source = { url: repo, chart: chartName, ...(version !== undefined && { version }) }
  return { ...others, chart: { repo: source } }
}

function problemsOf({ chart = {}, existingRelease, releaseName, outputs, values: all }: HelmSpec): string[] {
  const problems: string[] = []
  const sources = (['repo', 'configMap', 'git'] as const).filter((one) => chart[one] !== undefined)
  if (!existingRelease && sources.length !== 1)
    problems.push(`chart needs exactly one of repo, configMap and git, got ${sources.join(', ') || 'none'}`)
  if (!existingRelease && chart.git) problems.push(...problemsOfGit(chart.git))
  if (releaseName && !isReleaseName(releaseName))
    problems.push(`releaseName ${JSON.stringify(releaseName)} is not a name that Helm accepts`)
  for (const [index, source] of all.entries())
    if (Object.keys(source).length !== 1)
      problems.push(`values.${index} needs exactly one of file, configMap and raw`)
  for (const { name, value, valueFrom } of outputs)
    if ((value === undefined) === (valueFrom?.secret === undefined))
      problems.push(`the output ${name} needs either value or valueFrom.secret`)
  return problems
}

/** The rules of git for the names of branches, and paths that stay in the repository. */
function problemsOfGit({ path, revision }: NonNullable<ChartSource['git']>): string[] {
  const problems: string[] = []
  if (path.split(/[/\\]/).includes('..'))
    problems.push(`chart.git.path must be a folder of the repository without .., got ${JSON.stringify(path)}`)
  if (/[\p{Cc}\s~^:?*[\\]|\.\.|^-/u.test(revision))
    problems.push(
      `chart.git.revision must be a branch, a tag or the 40 digits of a commit, got ${JSON.stringify(revision)}`,
    )
  return problems
}

const specError = (problems: readonly string[]) => new PermanentError(problems.join('; '))

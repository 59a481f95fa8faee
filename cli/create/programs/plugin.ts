import { relative } from 'node:path'
import { defaultRelease, parseRelease } from '../../helm/vcluster-release.js'
import { checkCopyable } from '../kind/copyable.js'
import { type Direction, directions } from '../kind/direction.js'
import { findKindDesign } from '../kind/find-kind-design.js'
import type { KindDesign, PluginDesign } from '../kind/plugin-design.js'
import { sampleProblems } from '../kind/sample-problems.js'
import type { SampleProblem } from '../sample/sample-trial.js'
import { pluginFiles } from '../templates/plugin-files.js'
import { type AskedFlags, ask } from './ask.js'
import type { CreateArguments, NewProject, ProjectRequest } from './program-kind.js'

const defaults: AskedFlags = { kind: 'configmaps', direction: 'down', vclusterVersion: defaultRelease }

/** The project of a vcluster plugin that copies objects of one kind. */
export async function pluginProject({ name, args, terminal, packages }: ProjectRequest): Promise<NewProject> {
  const choices = await ask(setFlags(args), defaults, terminal)
  const versions = await packages()
  const { direction } = choices
  const kindDesign = await findKindDesign(choices.kind)
  checkCopyable(kindDesign.resource, direction)
  const problems = await sampleProblems({ kind: kindDesign, direction })
  const design: PluginDesign = {
    name,
    kind: { ...kindDesign, problems },
    direction,
    vcluster: parseRelease(choices.vclusterVersion),
    packages: versions,
  }
  return {
    files: pluginFiles(design),
    notes: problems.length > 0 ? [sampleNote(design, problems)] : [],
    choices: { ...choices, kind: recordedKind(args.folder, choices.kind, kindDesign) },
    dev: 'two embedded clusters and the plugin between them',
  }
}

/**
 * The kind as the project records it: a definition by its path from the folder, which differs from a kind by its slash.
 */
function recordedKind(folder: string, kind: string, { source }: KindDesign): string {
  if (source.from !== 'definition') return kind
  const path = relative(folder, kind)
  return path.includes('/') ? path : `./${path}`
}

/** The flags that the user has set; yargs sets the others to undefined. */
function setFlags({ kind, direction, vclusterVersion }: CreateArguments): Partial<AskedFlags> {
  const knownDirection = directions.find((candidate): candidate is Direction => candidate === direction)
  return {
    ...(kind && { kind }),
    ...(knownDirection && { direction: knownDirection }),
    ...(vclusterVersion && { vclusterVersion }),
  }
}

/** Lists all problems of the sample, so that the user can fix them at once. */
function sampleNote({ kind, direction }: PluginDesign, problems: readonly SampleProblem[]): string {
  const { file } = kind.names
  const yaml = direction === 'up' ? 'host-samples.yaml' : 'samples.yaml'
  const lines = problems.map(({ field, reason }) => `  ${field ? `${field}: ` : ''}${reason}`)
  return `Cannot make a valid sample from the schema alone. The API server or the syncer reports:
${[...new Set(lines)].join('\n')}
Fill in these fields by hand, in ${yaml} and in \`sample\` of src/${file}-syncer.test.ts.`
}

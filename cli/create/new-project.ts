import type { FileContent } from './chart/chart-content.js'
import type { Terminal } from './programs/ask.js'
import { withLicense } from './programs/license.js'
import type { CreateArguments, NewProject } from './programs/program-kind.js'
import { programKind } from './programs/program-kinds.js'
import { type SdkPackages, sdkPackages } from './sdk-packages.js'
import { formatRecord, recordedArguments, recordFile, templateRecord } from './template-record.js'

/** A project that is not written yet. */
export interface ProjectToWrite extends Omit<NewProject, 'choices'>, SdkPackages {
  /** The files of the templates, without the record. */
  templates: Readonly<Record<string, FileContent>>
}

/**
 * The files of a project for the arguments of `create`, with their record. `upgrade` calls it with the recorded
 * arguments. Throws `UsageError` or `PluginError`.
 */
export async function newProject(
  name: string,
  args: CreateArguments,
  terminal: Terminal,
): Promise<ProjectToWrite> {
  const createProject = await programKind(args.kind)
  // The packages are read while the user answers; an error is thrown after the questions.
  const reading = sdkPackages(args.sdk)
  reading.catch(() => {})
  const packages = async () => (await reading).versions
  const { files, notes, dev, choices } = await createProject({ name, args, terminal, packages })
  const sdk = await reading
  const { license, year } = args
  const templates = license ? await withLicense(files, { license, name, ...(year && { year }) }) : files
  const create = recordedArguments(name, { ...args, ...choices })
  const record = formatRecord(templateRecord(sdk.version, create, templates))
  return { ...sdk, notes, dev, templates, files: { ...templates, [recordFile]: record } }
}

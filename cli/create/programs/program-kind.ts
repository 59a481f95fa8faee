import type { FileContent } from '../chart/chart-content.js'
import type { Terminal } from './ask.js'
import type { License } from './license.js'

/** Arguments of `create`. */
export interface CreateArguments {
  folder: string
  kind?: string | undefined
  direction?: string | undefined
  vclusterVersion?: string | undefined
  name?: string | undefined
  sdk?: string | undefined
  /** A folder, an archive, its URL, `oci://…`, or the name of a chart of `repo`. */
  chart?: string | undefined
  /** The URL of a chart repository. */
  repo?: string | undefined
  /** A version of a chart, or a range. */
  chartVersion?: string | undefined
  /** Which version of which place a chart in a folder is; recorded for `upgrade`. */
  origin?: string | undefined
  /** `GROUP/VERSION/KIND` of the custom resources of a chart. */
  api?: string | undefined
  /** Default none: the project is private. */
  license?: License | undefined
  /** The year in a licence that names one; default this year. */
  year?: number | undefined
  /** Whether to make a git repository. */
  git?: boolean | undefined
}

/** A project to write. */
export interface ProjectRequest {
  /** The program's name, a DNS label. */
  name: string
  args: CreateArguments
  terminal: Terminal
  /** Reads the versions of packages, by name; the SDK's may be a path. Called after the questions. */
  packages: () => Promise<Readonly<Record<string, string>>>
}

/** The files of a new project, and what to tell about them. */
export interface NewProject {
  /** The content of each file, by path. */
  files: Readonly<Record<string, FileContent>>
  /** Problems that the user has to solve by hand. */
  notes: readonly string[]
  /** Arguments that the user was asked for, or that name what the project contains now; default none. */
  choices?: Partial<CreateArguments>
  /** The comment about `npm run dev`. */
  dev: string
}

/** Writes the project of one kind of program. Throws `UsageError` or `PluginError` for arguments that do not fit. */
export type ProgramKind = (request: ProjectRequest) => Promise<NewProject>

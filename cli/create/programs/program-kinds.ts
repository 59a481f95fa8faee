import type { ProgramKind } from './program-kind.js'

/** The programs that `create --kind` names. Every other value names the kind that a plugin copies. */
const programKinds: Readonly<Record<string, () => Promise<ProgramKind>>> = {
  cnpg: async () => (await import('./cnpg.js')).cnpgProject,
  helm: async () => (await import('./helm.js')).helmProject,
  module: async () => (await import('./module.js')).moduleProject,
  operator: async () => (await import('./operator.js')).operatorProject,
}

/** The program that `--kind` asks for; by default a plugin of a vcluster. */
export async function programKind(kind: string | undefined): Promise<ProgramKind> {
  const named = kind !== undefined && Object.hasOwn(programKinds, kind) ? programKinds[kind] : undefined
  return named ? named() : (await import('./plugin.js')).pluginProject
}

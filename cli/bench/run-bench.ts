/**
 * `vcluster-plugin bench`: measures how long a program takes for many objects at once, and for one change.
 *
 * The clusters run in this process, the program in another. It prints the figures of one run.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Description, describeAnyProgram } from '../program/describe-program.js'
import { findPlugin } from '../program/find-plugin.js'
import { print } from '../terminal/output.js'
import { UsageError } from '../terminal/usage-error.js'
import type { BenchOptions, MeasureOptions } from './bench-options.js'
import { type Figures, rowsOf } from './figures.js'

/**
 * Measures and prints the figures. Throws `PluginError` `NO_PLUGIN`, `NO_DESCRIPTION`, `INVALID_MANIFEST` or
 * `NOT_MIRRORED` or `NOT_READY`, or a `UsageError` for a program that it cannot measure.
 */
export async function runBench({ output, folder, ...options }: BenchOptions): Promise<void> {
  const program = await findPlugin(folder)
  const description = await describeAnyProgram(program, { namespace: 'default' })
  const dir = await mkdtemp(join(tmpdir(), 'vcluster-plugin-bench-'))
  try {
    const figures = await measure({ program, dir, ...options }, description)
    await print({ data: figures, table: rowsOf(figures) }, output)
  } finally {
    await rm(dir, { recursive: true })
  }
}

async function measure(options: MeasureOptions, description: Description): Promise<Figures> {
  switch (description.kind) {
    case 'CnpgPluginDescription':
      throw new UsageError(
        'bench measures plugins of a vcluster and operators; the hooks of a CNPG plugin have the metric cnpg_plugin_call_duration_seconds',
      )
    case 'OperatorDescription':
      return (await import('./operator/operator-bench.js')).measureOperator(options, description)
    case 'PluginDescription':
      return (await import('./plugin/plugin-bench.js')).measurePlugin(options)
  }
}

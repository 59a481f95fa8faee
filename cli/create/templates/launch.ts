/** The port of loopback on which `dev` lets a debugger attach. */
const port = 9229

/** The files that the debugger steps over. */
const skipFiles = ['<node_internals>/**', '**/node_modules/**']

/** A variable of VS Code. */
const variable = (name: string) => `\${${name}}`

/** The ways in which VS Code starts a process of Node under its debugger, or attaches to one. */
const configurations = [
  {
    name: 'dev',
    type: 'node',
    request: 'launch',
    program: `${variable('workspaceFolder')}/node_modules/vcluster-plugin-sdk/bin/vcluster-plugin.js`,
    args: ['dev', '.'],
    console: 'integratedTerminal',
    skipFiles,
  },
  {
    name: `attach to npm run dev -- --inspect ${port} --no-watch`,
    type: 'node',
    request: 'attach',
    port,
    skipFiles,
  },
  {
    name: 'the tests of the open file',
    type: 'node',
    request: 'launch',
    runtimeArgs: ['--import=tsx'],
    program: variable('file'),
    console: 'integratedTerminal',
    skipFiles,
  },
]

/**
 * .vscode/launch.json. The debugger also attaches to the processes that `dev` starts, because they inherit its
 * environment. The one test file is run in its own process, not by `vcluster-plugin test`, so that a breakpoint stops
 * it alone.
 */
export const launchFile = `${JSON.stringify({ version: '0.2.0', configurations }, undefined, 2)}\n`

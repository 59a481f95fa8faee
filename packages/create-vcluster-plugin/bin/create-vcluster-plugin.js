#!/usr/bin/env node
// npm create vcluster-plugin FOLDER [-- options]: the same as vcluster-plugin create FOLDER [options].
process.argv.splice(2, 0, 'create')
await import(new URL('bin/vcluster-plugin.js', import.meta.resolve('vcluster-plugin-sdk/package.json')))

/**
 * The entry point `vcluster-plugin-sdk/preload`: prepares the process before the program's first line, where a vcluster
 * process has started it, and does nothing in the other modes. `vcluster-plugin bundle` puts it first in a bundle; a
 * program that runs without one loads it by `node --import vcluster-plugin-sdk/preload main.js`. Without it,
 * `plugin.init()` does the same, so a program must not print anything before `init`.
 */
import { guardProcess } from './guard-process.js'

guardProcess(process.env)

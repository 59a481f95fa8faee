// A module that changes the connections of `fetch`, as no entry point may.
import { Agent, setGlobalDispatcher } from 'undici'

setGlobalDispatcher(new Agent())

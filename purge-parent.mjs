import { benchServer } from './test/bench/stores/server.mjs';
import { execFileSync } from 'node:child_process';
const server = await benchServer();
const OLD = '/tmp/old-a8', NEW = '/work/wt/typeorm';
const run = (tree, url, ...args) => { try { console.log(tree === OLD ? 'old' : 'new', execFileSync('node', ['purge-child.mjs', url, ...args.map(String)], { cwd: tree, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim()); } catch (e) { console.log('FAILED', args, e.status); } };
const url = {};
for (const [name, tree] of [['old_a', OLD], ['new_a', NEW], ['old_b', OLD], ['new_b', NEW]]) { url[name] = await server.database(name); run(tree, url[name], 'fill', 300000); }
for (let i = 0; i < 2; i++) { run(OLD, url.old_a, 'read', 0); run(NEW, url.new_a, 'read', 0); }
for (let i = 0; i < 2; i++) for (const c of [1, 64]) { run(OLD, url.old_b, 'append', c); run(NEW, url.new_b, 'append', c); }
run(OLD, url.old_a, 'purge', 500); run(NEW, url.new_a, 'purge', 5000); 
run(OLD, url.old_b, 'purge', 5000); run(NEW, url.new_b, 'anonymize', 5000);
await server.stop();

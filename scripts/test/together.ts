/** Runs several test files in one process: for modules without files, sockets and clocks, which starting costs more than testing. */
for (const file of process.argv.slice(2)) await import(file)

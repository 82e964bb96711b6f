// Stands for a helper command such as a cloud's: prints the stored token, or with --renew a new one.
process.stdout.write(process.argv.includes("--renew") ? "letmein-2\n" : "letmein-1\n");

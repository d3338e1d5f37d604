// For `import '@sandagent/sdk/react/styles.css'` where no bundler declares what a style sheet is.
export {}

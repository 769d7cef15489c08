const text: string = 'not loaded';
throw new Error(text);

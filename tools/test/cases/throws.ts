const said: string = 'not loaded';
throw new Error(said);

"""Operations: load, ask the engine, save. One file each."""
